//===- ArenaGaps.cpp - Packing into gaps ----------------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Analysis/ArenaPacking.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <vector>

using namespace llvm;
using namespace lane;

namespace {
/// The items placed so far, by first launch, with a tree over their last
/// launches. An item is live together with the items that start no later than
/// it ends and end no sooner than it starts.
class LiveTree {
public:
  explicit LiveTree(size_t size)
      : numLeaves(PowerOf2Ceil(std::max<size_t>(size, 1))),
        latest(2 * numLeaves, -1) {}

  void add(size_t leaf, int64_t lastLaunch) {
    for (size_t node = numLeaves + leaf; node != 0; node /= 2)
      latest[node] = std::max(latest[node], lastLaunch);
  }
  /// Appends the leaves before `end` that end at `firstLaunch` or later.
  void collect(size_t end, int64_t firstLaunch,
               SmallVectorImpl<size_t> &leaves) const {
    collectUnder(1, 0, numLeaves, end, firstLaunch, leaves);
  }

private:
  void collectUnder(size_t node, size_t begin, size_t size, size_t end,
                    int64_t firstLaunch,
                    SmallVectorImpl<size_t> &leaves) const {
    if (begin >= end || latest[node] < firstLaunch)
      return;
    if (size == 1)
      return leaves.push_back(begin);
    size_t half = size / 2;
    collectUnder(2 * node, begin, half, end, firstLaunch, leaves);
    collectUnder(2 * node + 1, begin + half, half, end, firstLaunch, leaves);
  }

  size_t numLeaves;
  std::vector<int64_t> latest;
};
} // namespace

namespace {
/// Places items into gaps, in several orders.
class GapPacker {
public:
  GapPacker(const ArenaProblem &problem, ArenaOrder order)
      : problem(problem), order(order), byFirst(problem.sortByFirstLaunch()),
        lowerBound(problem.getLowerBoundBytes()) {}

  ArenaSolution run(unsigned maxRounds);

private:
  using Range = std::pair<int64_t, int64_t>;

  // A *leaf* is the index of an item in `byFirst`.
  const ArenaItem &getItem(size_t leaf) const {
    return problem.items[byFirst[leaf]];
  }
  SmallVector<size_t> drawLeaves(unsigned round) const;
  int64_t findOffset(SmallVectorImpl<Range> &taken, const ArenaItem &item,
                     unsigned round) const;
  void place(ArrayRef<size_t> leaves, unsigned round, ArenaSolution &solution);

  const ArenaProblem &problem;
  ArenaOrder order;
  SmallVector<size_t> byFirst;
  int64_t lowerBound;
};
} // namespace

/// A pseudo-random number from the bytes and lifetime of an item. Similar
/// items, such as those of the layers of a model, get the same number. (Mixer:
/// splitmix64.)
static uint64_t draw(const ArenaItem &item, unsigned salt) {
  auto mix = [](uint64_t bits) {
    bits += 0x9E3779B97F4A7C15;
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9;
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EB;
    return bits ^ (bits >> 31);
  };
  uint64_t life = static_cast<uint64_t>(item.lastLaunch - item.firstLaunch);
  return mix(mix(mix(static_cast<uint64_t>(item.bytes)) ^ life) ^ salt);
}

/// The leaves by descending weight. After round 0, weights are random between
/// one and two times the original.
SmallVector<size_t> GapPacker::drawLeaves(unsigned round) const {
  SmallVector<std::pair<double, size_t>> weighed;
  for (size_t leaf = 0; leaf < byFirst.size(); ++leaf) {
    const ArenaItem &item = getItem(leaf);
    double weight = getArenaWeight(item, order);
    if (round != 0)
      weight *= 1 + static_cast<double>(draw(item, 2 * round) % 1024) / 1024;
    weighed.push_back({-weight, leaf});
  }
  sort(weighed);
  return map_to_vector(weighed, [](auto entry) { return entry.second; });
}

/// The lowest offset with `bytes` free; `taken` has (offset, end) pairs.
static int64_t
findLowestGap(SmallVectorImpl<std::pair<int64_t, int64_t>> &taken,
              int64_t bytes) {
  sort(taken);
  int64_t offset = 0;
  for (auto [begin, end] : taken) {
    if (begin - offset >= bytes)
      break;
    offset = std::max(offset, end);
  }
  return offset;
}

/// The lowest gap. After round 0, every other item gets the highest gap below
/// the lower bound instead, if there is one.
int64_t GapPacker::findOffset(SmallVectorImpl<Range> &taken,
                              const ArenaItem &item, unsigned round) const {
  int64_t bytes = problem.getPaddedBytes(item);
  int64_t lowest = findLowestGap(taken, bytes);
  if (round == 0 || draw(item, 2 * round + 1) % 2 == 0)
    return lowest;
  // Mirror the offsets to search for the lowest.
  for (auto &[begin, end] : taken)
    std::tie(begin, end) = Range(lowerBound - end, lowerBound - begin);
  int64_t highest = lowerBound - findLowestGap(taken, bytes) - bytes;
  return highest >= 0 ? highest : lowest;
}

/// Places all items in the order of `leaves`.
void GapPacker::place(ArrayRef<size_t> leaves, unsigned round,
                      ArenaSolution &solution) {
  solution.offsets.assign(problem.items.size(), 0);
  solution.arenaBytes = 0;
  LiveTree placed(byFirst.size());
  SmallVector<size_t> along;
  SmallVector<Range> taken;
  for (size_t leaf : leaves) {
    const ArenaItem &item = getItem(leaf);
    auto *end = partition_point(byFirst, [&](size_t index) {
      return problem.items[index].firstLaunch <= item.lastLaunch;
    });
    along.clear();
    placed.collect(end - byFirst.begin(), item.firstLaunch, along);
    taken.clear();
    for (size_t other : along) {
      int64_t offset = solution.offsets[byFirst[other]];
      taken.push_back(
          {offset, offset + problem.getPaddedBytes(getItem(other))});
    }
    int64_t offset = findOffset(taken, item, round);
    solution.offsets[byFirst[leaf]] = offset;
    solution.arenaBytes =
        std::max(solution.arenaBytes, offset + problem.getPaddedBytes(item));
    placed.add(leaf, item.lastLaunch);
  }
}

ArenaSolution GapPacker::run(unsigned maxRounds) {
  SmallVector<size_t> leaves;
  ArenaSolution best, next;
  for (unsigned round = 0; round < maxRounds; ++round) {
    if (round % 2 == 0)
      leaves = drawLeaves(round);
    else // Place what ended above the bound first.
      std::stable_partition(leaves.begin(), leaves.end(), [&](size_t leaf) {
        return next.offsets[byFirst[leaf]] +
                   problem.getPaddedBytes(getItem(leaf)) >
               lowerBound;
      });
    place(leaves, round, next);
    if (round == 0 || next.arenaBytes < best.arenaBytes)
      best = next;
    if (best.arenaBytes <= lowerBound)
      break;
  }
  return best;
}

ArenaSolution lane::packByGaps(const ArenaProblem &problem, ArenaOrder order,
                               unsigned maxRounds) {
  return GapPacker(problem, order).run(maxRounds);
}
