//===- Placement.h - Which uploads leave the device -------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The placement problem, its solution and a verifier of solutions. Each policy
// is in a file of its own, lib/Analysis/Place*.cpp. None of it knows the IR, so
// a policy can be tested, or run by a program at its start, without one.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_ANALYSIS_PLACEMENT_H
#define LANE_ANALYSIS_PLACEMENT_H

#include "lane/Support/MemorySpace.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <optional>

namespace lane {

/// Generated from LaneDialect.td.
enum class PlacementPolicy : uint32_t;

/// What is to be placed. Its components are:
///
/// - `arenaBytes` and `fixedBytes` stay on the device whatever the budget;
/// - `uploadBytes` are the bytes of each upload, in the order in which uploads
///   leave the device;
/// - `stepBytes` are the bytes that a step reads of each upload, in the same
///   order. They may be empty for a policy that does not need them;
/// - `countsPageTables`, whether the page tables of mapped host memory are part
///   of the budget (lane/Support/PageTables.h). They are where the budget is
///   all memory that the device has left, and are not where it is memory for
///   the program's own allocations;
/// - `hostLimitBytes`, the most bytes on the host, if there is a limit.
///
/// A placement fits a budget if at least the deficit has moved, so that what
/// stays and the page tables are within the budget.
struct PlacementProblem {
  int64_t arenaBytes = 0;
  int64_t fixedBytes = 0;
  llvm::SmallVector<int64_t> uploadBytes = {};
  llvm::SmallVector<int64_t> stepBytes = {};
  bool countsPageTables = false;
  std::optional<int64_t> hostLimitBytes = std::nullopt;

  /// Fails unless all sizes are at least 0, the sums of the bytes and of the
  /// step bytes fit in int64_t, and there are no step bytes or one for each
  /// upload. All other functions require a problem that passes this check.
  llvm::Error check() const;
  /// Fails, with both values, where the budget is below the least.
  llvm::Error checkBudget(int64_t budgetBytes) const;
  /// Fails, with both values, where so many host bytes exceed the limit.
  llvm::Error checkHostBytes(int64_t hostBytes) const;

  /// Bytes that cannot leave the device.
  int64_t getResidentBytes() const { return arenaBytes + fixedBytes; }
  /// All bytes, wherever they live.
  int64_t getWholeBytes() const;
  /// The least budget for which there is a placement, whatever the limit of the
  /// host: the resident bytes and, if counted, the page tables of all uploads.
  int64_t getLeastBudgetBytes() const;
  /// Bytes that must leave the device; 0 where everything fits. Requires a
  /// budget that passes checkBudget.
  int64_t getDeficitBytes(int64_t budgetBytes) const;
  /// Device memory of the page tables of so many host bytes; 0 where they do
  /// not count.
  int64_t getPageTableBytes(int64_t hostBytes) const;
  bool exceedsHostLimit(int64_t hostBytes) const {
    return hostLimitBytes && hostBytes > *hostLimitBytes;
  }
  bool hasTraffic() const { return stepBytes.size() == uploadBytes.size(); }
};

/// A range of an upload's bytes, all in one memory space.
struct Extent {
  /// Rank of the upload in the problem's order.
  int64_t upload = 0;
  MemorySpace space;
  int64_t offsetBytes = 0;
  int64_t bytes = 0;

  bool operator==(const Extent &other) const {
    return upload == other.upload && space == other.space &&
           offsetBytes == other.offsetBytes && bytes == other.bytes;
  }
};

/// A solution. Its components are:
///
/// - `policy` and `budgetBytes`, which it was made by and for;
/// - `extents`, by upload and offset, which cover each upload exactly once;
/// - `deviceBytes` and `hostBytes`, all bytes in each kind of memory; those of
///   the device include the resident bytes;
/// - `pageTableBytes`, device memory in addition to those for the page tables
///   of the host bytes; 0 where they do not count;
/// - `hostStepBytes`, the bytes that a step reads from the host;
/// - `boundHostStepBytes`: no placement within the budget reads less than that
///   from the host. It is what would be read if one upload could be split,
///   rounded up to what whole uploads can have together;
/// - `isProvenOptimal`, whether no placement reads less from the host.
///
/// The last three are 0, 0 and false where the problem has no step bytes.
struct Placement {
  PlacementPolicy policy = {};
  int64_t budgetBytes = 0;
  llvm::SmallVector<Extent, 0> extents;
  int64_t deviceBytes = 0;
  int64_t hostBytes = 0;
  int64_t pageTableBytes = 0;
  int64_t hostStepBytes = 0;
  int64_t boundHostStepBytes = 0;
  bool isProvenOptimal = false;

  /// Ranks of the uploads with bytes that are not on a device, ascending.
  llvm::SmallVector<int64_t> getMovedUploads() const;
};

/// The solution that moves whole uploads, whose ranks are ascending, to the
/// host and leaves the others on device 0. It has no bound yet.
Placement makePlacement(const PlacementProblem &problem, PlacementPolicy policy,
                        int64_t budgetBytes,
                        llvm::ArrayRef<int64_t> movedUploads);

/// Bytes that a step reads from the host: of each extent there its share of the
/// upload's step bytes, rounded up; 0 where the problem has no step bytes.
/// Requires extents within their uploads.
int64_t computeHostStepBytes(const PlacementProblem &problem,
                             llvm::ArrayRef<Extent> extents);

/// Places by `policy`. Fails where the budget is below the least, or where the
/// placement exceeds the limit of host bytes.
llvm::Expected<Placement> place(const PlacementProblem &problem,
                                PlacementPolicy policy, int64_t budgetBytes);

/// The policy of the specification: uploads leave in order, the first first,
/// until the deficit has moved. Fails where the budget is below the least; the
/// limit of host bytes is not checked. Linear in the uploads.
llvm::Expected<Placement> placeLastRead(const PlacementProblem &problem,
                                        int64_t budgetBytes);

/// Default limit of search steps, which take less than a millisecond. The
/// generated program has the same limit.
constexpr int64_t kTrafficWorkLimit = int64_t(1) << 14;

/// The order of the specification can overshoot: for a deficit of 50 MB it may
/// move an output head of 1 GB. This policy may move any uploads, and minimizes
/// the bytes that a step reads from the host. Ties go to fewer bytes on the
/// host, then to uploads that are earlier in the order. Choosing the uploads is
/// a covering knapsack. Models have few kinds of matrices, so the solution is
/// mostly optimal. After `workLimit` steps it returns the best known solution,
/// which is never worse than that of placeLastRead. Fails if the budget is
/// below the least; it does not check the limit of host bytes. Requires step
/// bytes.
llvm::Expected<Placement>
placeLeastTraffic(const PlacementProblem &problem, int64_t budgetBytes,
                  int64_t workLimit = kTrafficWorkLimit);

/// Bytes that a step reads from the host at least, on a budget that passes
/// checkBudget. Requires step bytes.
int64_t computeTrafficBound(const PlacementProblem &problem,
                            int64_t budgetBytes);

/// Checks a solution against its problem from the definitions only: extents
/// cover each upload once, the bytes of each space are those of its extents,
/// the device keeps to the budget with its page tables, at least the deficit
/// has moved, the host keeps to its limit, and the traffic is that of the
/// extents and no less than the bound. By the policy last_read, uploads leave
/// whole and in order, and with one upload fewer on the host less than the
/// deficit would have moved.
llvm::Error verifyPlacement(const PlacementProblem &problem,
                            const Placement &placement);

} // namespace lane

#endif // LANE_ANALYSIS_PLACEMENT_H
