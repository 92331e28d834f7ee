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
#include "lane/Support/PageTables.h"
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
  if (hostLimitBytes && *hostLimitBytes < 0)
    return createStringError("the limit of the host is " +
                             Twine(*hostLimitBytes) + " bytes");
  return stepBytes.empty() ? Error::success() : checkTraffic(*this);
}

Error PlacementProblem::checkBudget(int64_t budgetBytes) const {
  int64_t leastBytes = getLeastBudgetBytes();
  if (leastBytes <= budgetBytes)
    return Error::success();
  StringRef tables =
      leastBytes == getResidentBytes() ? "" : ", with page tables";
  return createStringError("the program needs " + Twine(leastBytes) +
                           " bytes on the device at least" + tables +
                           ", but the budget is " + Twine(budgetBytes) +
                           " bytes");
}

Error PlacementProblem::checkHostBytes(int64_t hostBytes) const {
  if (!exceedsHostLimit(hostBytes))
    return Error::success();
  return createStringError("the placement needs " + Twine(hostBytes) +
                           " bytes of host memory, but the limit is " +
                           Twine(*hostLimitBytes) + " bytes");
}

int64_t PlacementProblem::getWholeBytes() const {
  int64_t sum = getResidentBytes();
  for (int64_t bytes : uploadBytes)
    sum += bytes;
  return sum;
}

int64_t PlacementProblem::getLeastBudgetBytes() const {
  if (!countsPageTables)
    return getResidentBytes();
  int64_t wholeBytes = getWholeBytes();
  return wholeBytes - laneGetFreedBytes(wholeBytes - getResidentBytes());
}

int64_t PlacementProblem::getDeficitBytes(int64_t budgetBytes) const {
  int64_t deficitBytes = std::max(getWholeBytes() - budgetBytes, int64_t(0));
  return countsPageTables ? laneGetBytesToMove(deficitBytes) : deficitBytes;
}

int64_t PlacementProblem::getPageTableBytes(int64_t hostBytes) const {
  return countsPageTables ? laneGetPageTableBytes(hostBytes) : 0;
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
  placement.pageTableBytes = problem.getPageTableBytes(placement.hostBytes);
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

static Expected<Placement> placeByPolicy(const PlacementProblem &problem,
                                         PlacementPolicy policy,
                                         int64_t budgetBytes) {
  switch (policy) {
  case PlacementPolicy::LastRead:
    return placeLastRead(problem, budgetBytes);
  case PlacementPolicy::LeastTraffic:
    return placeLeastTraffic(problem, budgetBytes);
  }
  llvm_unreachable("unknown policy");
}

Expected<Placement> lane::place(const PlacementProblem &problem,
                                PlacementPolicy policy, int64_t budgetBytes) {
  Expected<Placement> placement = placeByPolicy(problem, policy, budgetBytes);
  if (placement)
    if (Error error = problem.checkHostBytes(placement->hostBytes))
      return std::move(error);
  return placement;
}
