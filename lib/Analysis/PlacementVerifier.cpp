//===- PlacementVerifier.cpp - Checks a placement from the definitions ----===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Analysis/Placement.h"
#include "lane/Dialect/Lane/IR/LaneDialect.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace lane;

template <typename... Args>
static Error refuse(const char *format, Args &&...args) {
  return createStringError(formatv(format, std::forward<Args>(args)...).str());
}

/// Extents are by upload and offset, and each upload is covered exactly once.
static Error verifyCoverage(const PlacementProblem &problem,
                            ArrayRef<Extent> extents) {
  for (auto [index, uploadBytes] : enumerate(problem.uploadBytes)) {
    int64_t rank = index, covered = 0;
    // An upload without bytes has one extent without bytes.
    do {
      if (extents.empty() || extents.front().upload != rank)
        return refuse("extents cover {0} of the {1} bytes of upload {2}",
                      covered, uploadBytes, rank);
      const Extent &extent = extents.front();
      if (extent.offsetBytes != covered)
        return refuse("an extent of upload {0} starts at byte {1} instead of "
                      "{2}",
                      rank, extent.offsetBytes, covered);
      if (extent.bytes < (uploadBytes == 0 ? 0 : 1) ||
          extent.bytes > uploadBytes - covered)
        return refuse("an extent of upload {0} has {1} bytes at byte {2} of "
                      "{3}",
                      rank, extent.bytes, covered, uploadBytes);
      if (extent.space != MemorySpace::getDevice() &&
          extent.space != MemorySpace::getHost())
        return refuse("an extent of upload {0} is in {1}, which the problem "
                      "does not have",
                      rank, extent.space);
      covered += extent.bytes;
      extents = extents.drop_front();
    } while (covered < uploadBytes);
  }
  if (!extents.empty())
    return refuse("an extent of upload {0} follows those of {1} uploads",
                  extents.front().upload, problem.uploadBytes.size());
  return Error::success();
}

/// The bytes of each space are those of its extents, and each space keeps to
/// what it has.
static Error verifyBytes(const PlacementProblem &problem,
                         const Placement &placement) {
  int64_t deviceBytes = problem.getResidentBytes(), hostBytes = 0;
  for (const Extent &extent : placement.extents)
    (extent.space.kind == MemoryKind::Device ? deviceBytes : hostBytes) +=
        extent.bytes;
  if (hostBytes != placement.hostBytes)
    return refuse("host bytes are {0}, but the uploads moved have {1}",
                  placement.hostBytes, hostBytes);
  if (deviceBytes != placement.deviceBytes)
    return refuse("device bytes are {0}, but what stays has {1}",
                  placement.deviceBytes, deviceBytes);
  if (deviceBytes > placement.budgetBytes)
    return refuse("device bytes {0} exceed the budget of {1}", deviceBytes,
                  placement.budgetBytes);
  int64_t pageTableBytes = problem.getPageTableBytes(hostBytes);
  if (pageTableBytes != placement.pageTableBytes)
    return refuse("page tables have {0} bytes, but those of {1} host bytes "
                  "have {2}",
                  placement.pageTableBytes, hostBytes, pageTableBytes);
  // Not a sum, which could overflow.
  if (pageTableBytes > placement.budgetBytes - deviceBytes)
    return refuse("device bytes {0} and page tables of {1} exceed the budget "
                  "of {2}",
                  deviceBytes, pageTableBytes, placement.budgetBytes);
  if (problem.exceedsHostLimit(hostBytes))
    return refuse("host bytes {0} exceed the limit of {1}", hostBytes,
                  *problem.hostLimitBytes);
  return Error::success();
}

static Error verifyTraffic(const PlacementProblem &problem,
                           const Placement &placement) {
  int64_t hostStepBytes = computeHostStepBytes(problem, placement.extents);
  if (hostStepBytes != placement.hostStepBytes)
    return refuse("a step reads {0} bytes from the host, but of the uploads "
                  "moved it reads {1}",
                  placement.hostStepBytes, hostStepBytes);
  if (hostStepBytes < placement.boundHostStepBytes)
    return refuse("the traffic of {0} is less than the bound of {1}",
                  hostStepBytes, placement.boundHostStepBytes);
  return Error::success();
}

/// By last_read the first uploads have moved, each whole, and no more than
/// needed.
static Error verifyLastRead(const PlacementProblem &problem,
                            const Placement &placement, int64_t deficitBytes) {
  SmallVector<int64_t> moved = placement.getMovedUploads();
  for (auto [index, rank] : enumerate(moved))
    if (rank != int64_t(index))
      return refuse("upload {0} moved before upload {1}", rank, index);
  if (placement.extents.size() != problem.uploadBytes.size())
    return refuse("the policy last_read moves whole uploads");
  if (moved.empty())
    return Error::success();
  int64_t last = problem.uploadBytes[moved.back()];
  if (placement.hostBytes - last < deficitBytes)
    return Error::success();
  return refuse("upload {0} of {1} bytes moved though the budget of {2} has "
                "room for it",
                moved.back(), last, placement.budgetBytes);
}

Error lane::verifyPlacement(const PlacementProblem &problem,
                            const Placement &placement) {
  if (Error error = verifyCoverage(problem, placement.extents))
    return error;
  if (Error error = verifyBytes(problem, placement))
    return error;
  int64_t deficitBytes = problem.getDeficitBytes(placement.budgetBytes);
  if (placement.hostBytes < deficitBytes)
    return refuse("{0} bytes have moved, but the budget of {1} needs {2}",
                  placement.hostBytes, placement.budgetBytes, deficitBytes);
  if (Error error = verifyTraffic(problem, placement))
    return error;
  if (placement.policy != PlacementPolicy::LastRead)
    return Error::success();
  return verifyLastRead(problem, placement, deficitBytes);
}
