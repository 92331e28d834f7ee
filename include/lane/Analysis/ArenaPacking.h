//===- ArenaPacking.h - Offsets in an arena ---------------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The arena problem, its solution, a verifier of solutions, and heuristics that
// solve it. This does not depend on the IR; lane/Analysis/Liveness.h builds the
// problem of a form.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_ANALYSIS_ARENAPACKING_H
#define LANE_ANALYSIS_ARENAPACKING_H

#include "lane/Support/Bytes.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <cstdint>

namespace lane {

/// An array that needs `bytes` of the arena from `firstLaunch` to
/// `lastLaunch`, both included.
struct ArenaItem {
  int64_t bytes = 0;
  int64_t firstLaunch = 0;
  int64_t lastLaunch = 0;
};

/// The arena problem. Its components are:
///
/// - the items; an item without bytes needs no space;
/// - the alignment of every offset.
///
/// Bytes and launches are at least 0, an item does not end before it starts,
/// and the alignment is at least 1. The sum of all bytes, each padded to the
/// alignment, is below 2^62, so that offsets in heuristics cannot overflow.
/// `check` checks these conditions.
struct ArenaProblem {
  llvm::SmallVector<ArenaItem> items;
  int64_t alignmentBytes = kPoolAlignmentBytes;

  /// Fails with the first item that violates a condition.
  llvm::Error check() const;
  /// The largest sum of padded bytes of items that are live at one launch. No
  /// arena is smaller. O(n log n). Requires a checked problem.
  int64_t getLowerBoundBytes() const;
  /// The number of pairs of items that are live at the same launch. O(n log n).
  /// Requires a checked problem.
  int64_t countPairs() const;
  /// The items with bytes, by first launch. Ties are broken by the other
  /// fields, so that the order of the input only matters for equal items. O(n
  /// log n).
  llvm::SmallVector<size_t> sortByFirstLaunch() const;
  /// The bytes of an item rounded up to the alignment. Requires a checked
  /// problem.
  int64_t getPaddedBytes(const ArenaItem &item) const;
};

/// A solution: the offset of each item, and the bytes of the arena.
struct ArenaSolution {
  llvm::SmallVector<int64_t> offsets;
  int64_t arenaBytes = 0;
};

/// Packs with the heuristics below and returns the smallest arena. Stops if it
/// reaches the lower bound. O(n log n) in the items: the number of rounds of
/// the gap heuristic is limited by 32 pairs per item plus two million, and can
/// be 0. Offsets depend on the items and not on their order, except that equal
/// items get their offsets in order. Requires a checked problem.
ArenaSolution packArena(const ArenaProblem &problem);

/// Verifies a solution against the definition of the problem: each item has an
/// aligned offset inside the arena, and no two items with bytes that are live
/// at the same launch overlap. O(n log n).
llvm::Error verifyArena(const ArenaProblem &problem,
                        const ArenaSolution &solution);

//===----------------------------------------------------------------------===//
// Heuristics
//===----------------------------------------------------------------------===//
//
// Optimal packing is NP-hard (dynamic storage allocation: Garey and Johnson,
// SR2). Both heuristics always find a solution, without a constant-factor
// guarantee. On forms of language models, where most items live for a few
// launches, the better one is within 5 % of the lower bound.

/// Which item is placed first.
enum class ArenaOrder { BySize, ByArea, ByLife };

/// The weight that `order` compares, larger first. Area is bytes times
/// lifetime.
double getArenaWeight(const ArenaItem &item, ArenaOrder order);

/// Walks the launches like an allocator: frees dead items, coalesces
/// neighbours, and allocates each new item in the smallest hole that is large
/// enough (best fit: Knuth, The Art of Computer Programming 1, 2.5). Items that
/// start together are placed in descending `order`. O(n log n). Good on chains;
/// short items that start between long ones leave holes.
ArenaSolution packBySweep(const ArenaProblem &problem, ArenaOrder order);

/// Places the items in descending `order`, each in the lowest gap between the
/// items that are live together with it (greedy by size: Pisarchyk and Lee,
/// Efficient Memory Management for Deep Neural Net Inference, 2020). If that
/// misses the lower bound, up to `maxRounds` (at least 1) rounds follow,
/// alternating between placing the items first that ended above the bound, and
/// random weights and directions. The random numbers are fixed, and equal for
/// similar items, so that an improvement of one layer applies to every layer. A
/// round is O((n + p) log n) for p pairs of items that are live together.
ArenaSolution packByGaps(const ArenaProblem &problem, ArenaOrder order,
                         unsigned maxRounds);

} // namespace lane

#endif // LANE_ANALYSIS_ARENAPACKING_H
