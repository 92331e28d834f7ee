//===- ArenaPacking.h - Offsets in an arena ---------------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The arena problem, its solution, a verifier of solutions, and the heuristics
// that solve it. It knows nothing of the IR: lane/Analysis/Liveness.h makes a
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

/// What is to be packed. The components are:
///
/// - the items, of which one without bytes needs no room at all;
/// - the alignment of every offset.
///
/// Bytes and launches are at least 0, an item ends no sooner than it starts,
/// the alignment is at least 1, and the items laid one after the other, each
/// padded to the alignment, end below 2^62, so that no offset which a
/// heuristic tries can overflow; `check` says so.
struct ArenaProblem {
  llvm::SmallVector<ArenaItem> items;
  int64_t alignmentBytes = kPoolAlignmentBytes;

  /// Fails, naming the first item that breaks a rule.
  llvm::Error check() const;
  /// The largest sum of padded bytes that live at one launch: no arena is
  /// smaller. O(n log n). Requires a problem that checks.
  int64_t getLowerBoundBytes() const;
  /// Pairs of items that live together at some launch. O(n log n). Requires a
  /// problem that checks.
  int64_t countPairs() const;
  /// The items that have bytes by first launch. Ties are broken by all that an
  /// item is, so that the order in which items are given decides only between
  /// equal ones. O(n log n).
  llvm::SmallVector<size_t> sortByFirstLaunch() const;
  /// An item's bytes rounded up to the alignment. Requires a problem that
  /// checks.
  int64_t getPaddedBytes(const ArenaItem &item) const;
};

/// A solution: the offset of each item, and the bytes of the arena.
struct ArenaSolution {
  llvm::SmallVector<int64_t> offsets;
  int64_t arenaBytes = 0;
};

/// Packs by the heuristics below and keeps the smallest arena, stopping at one
/// that meets the lower bound. O(n log n) in the items, since gaps have as many
/// rounds as 32 pairs an item and two million more allow, and none where there
/// are too many. An offset depends on the items alone and not on their order,
/// but for items that are equal, which take their offsets in order. Requires a
/// problem that checks.
ArenaSolution packArena(const ArenaProblem &problem);

/// Checks a solution against its problem from the definitions alone: each item
/// has an aligned offset and lies inside the arena, and no two that have bytes
/// and live at one launch overlap. O(n log n).
llvm::Error verifyArena(const ArenaProblem &problem,
                        const ArenaSolution &solution);

//===----------------------------------------------------------------------===//
// Heuristics
//===----------------------------------------------------------------------===//
//
// To pack optimally is NP-hard (dynamic storage allocation: Garey and Johnson,
// SR2). Both heuristics always find a solution, and neither is within a
// constant of the lower bound on every problem; on forms of language models,
// where most items live for a few launches, their best is within 5 % of it.

/// Which item is placed first.
enum class ArenaOrder { BySize, ByArea, ByLife };

/// What `order` compares, the larger first; area is bytes times life.
double getArenaWeight(const ArenaItem &item, ArenaOrder order);

/// Walks the launches as an allocator would: frees what has died, coalescing
/// neighbours, and gives each item that starts the smallest hole that holds it
/// (Knuth, The Art of Computer Programming 1, 2.5: best fit). Of the items that
/// start together the largest, or the longest-lived, is first. O(n log n).
/// Good on chains; short items that start between long ones leave holes.
ArenaSolution packBySweep(const ArenaProblem &problem, ArenaOrder order);

/// Places the items in `order`, the largest first, each in the lowest gap
/// between what lives along with it (greedy by size: Pisarchyk and Lee,
/// Efficient Memory Management for Deep Neural Net Inference, 2020). Where that
/// misses the lower bound, other rounds follow, up to `maxRounds`, 1 or more:
/// one with what ended above the bound placed first, then one with weights and
/// sides of the arena drawn anew, and so on. The draws are fixed, and the same
/// for items that are alike, so that one that suits a layer suits every layer.
/// What lives along with an item is found in a tree: a round is
/// O((n + p) log n), p being the pairs that live together.
ArenaSolution packByGaps(const ArenaProblem &problem, ArenaOrder order,
                         unsigned maxRounds);

} // namespace lane

#endif // LANE_ANALYSIS_ARENAPACKING_H
