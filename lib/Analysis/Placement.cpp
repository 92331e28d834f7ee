//===- Placement.cpp - The placement problem and its solutions ------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Analysis/Placement.h"
#include "lane/Dialect/Lane/IR/LaneDialect.h"
#include "lane/Support/Bytes.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace lane;

//===----------------------------------------------------------------------===//
// PlacementProblem
//===----------------------------------------------------------------------===//

static Error checkTraffic(const PlacementProblem &problem) {
  if (problem.stepBytes.size() != problem.uploadBytes.size())
    return createStringError(Twine(problem.uploadBytes.size()) +
                             " uploads have the step bytes of " +
                             Twine(problem.stepBytes.size()));
  int64_t sum = 0;
  for (auto [rank, bytes] : enumerate(problem.stepBytes)) {
    if (bytes < 0)
      return createStringError("a step reads " + Twine(bytes) +
                               " bytes of upload " + Twine(rank));
    std::optional<int64_t> next = checkedAddBytes(sum, bytes);
    if (!next)
      return createStringError("the step bytes overflow int64 at upload " +
                               Twine(rank));
    sum = *next;
  }
  return Error::success();
}

Error PlacementProblem::check() const {
  int64_t sum = 0;
  auto add = [&](int64_t bytes, const Twine &what) -> Error {
    if (bytes < 0)
      return createStringError(what + " has " + Twine(bytes) + " bytes");
    std::optional<int64_t> next = checkedAddBytes(sum, bytes);
    if (!next)
      return createStringError("the bytes overflow int64 at " + what);
    sum = *next;
    return Error::success();
  };
  if (Error error = add(arenaBytes, "the arena"))
    return error;
  if (Error error = add(fixedBytes, "the fixed part"))
    return error;
  for (auto [rank, bytes] : enumerate(uploadBytes))
    if (Error error = add(bytes, "upload " + Twine(rank)))
      return error;
  return stepBytes.empty() ? Error::success() : checkTraffic(*this);
}

Error PlacementProblem::checkBudget(int64_t budgetBytes) const {
  if (getResidentBytes() <= budgetBytes)
    return Error::success();
  return createStringError("the program needs " + Twine(getResidentBytes()) +
                           " bytes on the device at least, but the budget is " +
                           Twine(budgetBytes) + " bytes");
}

int64_t PlacementProblem::getWholeBytes() const {
  int64_t sum = getResidentBytes();
  for (int64_t bytes : uploadBytes)
    sum += bytes;
  return sum;
}

//===----------------------------------------------------------------------===//
// Placement
//===----------------------------------------------------------------------===//

SmallVector<int64_t> Placement::getMovedUploads() const {
  SmallVector<int64_t> moved;
  for (const Extent &extent : extents)
    if (extent.space.kind != MemoryKind::Device &&
        (moved.empty() || moved.back() != extent.upload))
      moved.push_back(extent.upload);
  return moved;
}

Placement lane::makePlacement(const PlacementProblem &problem,
                              PlacementPolicy policy, int64_t budgetBytes,
                              ArrayRef<int64_t> movedUploads) {
  Placement placement;
  placement.policy = policy;
  placement.budgetBytes = budgetBytes;
  placement.deviceBytes = problem.getResidentBytes();
  placement.extents.reserve(problem.uploadBytes.size());
  for (auto [index, bytes] : enumerate(problem.uploadBytes)) {
    int64_t rank = index;
    bool isMoved = !movedUploads.empty() && movedUploads.front() == rank;
    if (isMoved)
      movedUploads = movedUploads.drop_front();
    MemorySpace space =
        isMoved ? MemorySpace::getHost() : MemorySpace::getDevice();
    placement.extents.push_back({rank, space, /*offsetBytes=*/0, bytes});
    (isMoved ? placement.hostBytes : placement.deviceBytes) += bytes;
  }
  placement.hostStepBytes = computeHostStepBytes(problem, placement.extents);
  return placement;
}

/// A product of two sizes.
__extension__ using Wide = unsigned __int128;

int64_t lane::computeHostStepBytes(const PlacementProblem &problem,
                                   ArrayRef<Extent> extents) {
  if (!problem.hasTraffic())
    return 0;
  int64_t sum = 0;
  for (const Extent &extent : extents) {
    if (extent.space.kind == MemoryKind::Device)
      continue;
    int64_t uploadBytes = problem.uploadBytes[extent.upload];
    int64_t stepBytes = problem.stepBytes[extent.upload];
    if (extent.bytes != uploadBytes)
      stepBytes = static_cast<int64_t>(
          (Wide(stepBytes) * Wide(extent.bytes) + Wide(uploadBytes - 1)) /
          Wide(uploadBytes));
    sum += stepBytes;
  }
  return sum;
}

Expected<Placement> lane::place(const PlacementProblem &problem,
                                PlacementPolicy policy, int64_t budgetBytes) {
  switch (policy) {
  case PlacementPolicy::LastRead:
    return placeLastRead(problem, budgetBytes);
  case PlacementPolicy::LeastTraffic:
    return placeLeastTraffic(problem, budgetBytes);
  }
  llvm_unreachable("unknown policy");
}
