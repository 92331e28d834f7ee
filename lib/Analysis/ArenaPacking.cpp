//===- ArenaPacking.cpp - Offsets in an arena -----------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The problem, its bounds, the selection of the best heuristic, and the
// verifier. The heuristics are in ArenaSweep.cpp and ArenaGaps.cpp; they share
// no code with the verifier.
//
//===----------------------------------------------------------------------===//

#include "lane/Analysis/ArenaPacking.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>

using namespace llvm;
using namespace lane;

int64_t ArenaProblem::getPaddedBytes(const ArenaItem &item) const {
  return *checkedAlignBytes(item.bytes, alignmentBytes);
}

Error ArenaProblem::check() const {
  if (alignmentBytes < 1)
    return createStringError("the alignment is " + Twine(alignmentBytes));
  int64_t sum = 0;
  for (auto [index, item] : enumerate(items)) {
    if (item.bytes < 0)
      return createStringError("item " + Twine(index) + " has " +
                               Twine(item.bytes) + " bytes");
    if (item.firstLaunch < 0 || item.lastLaunch < item.firstLaunch)
      return createStringError("item " + Twine(index) + " lives from launch " +
                               Twine(item.firstLaunch) + " to " +
                               Twine(item.lastLaunch));
    std::optional<int64_t> padded =
        checkedAlignBytes(item.bytes, alignmentBytes);
    std::optional<int64_t> next =
        padded ? checkedAddBytes(sum, *padded) : std::nullopt;
    if (!next || *next >= int64_t(1) << 62)
      return createStringError("the bytes reach 2^62 at item " + Twine(index));
    sum = *next;
  }
  return Error::success();
}

int64_t ArenaProblem::getLowerBoundBytes() const {
  // An item adds its bytes at its start and removes them one launch after its
  // end. Removals sort first within a launch.
  SmallVector<std::pair<int64_t, int64_t>> changes;
  changes.reserve(2 * items.size());
  for (const ArenaItem &item : items) {
    int64_t padded = getPaddedBytes(item);
    changes.push_back({item.firstLaunch, padded});
    // Nothing starts after the last possible launch.
    if (item.lastLaunch != std::numeric_limits<int64_t>::max())
      changes.push_back({item.lastLaunch + 1, -padded});
  }
  sort(changes);
  int64_t live = 0, most = 0;
  for (auto [launch, bytes] : changes) {
    live += bytes;
    most = std::max(most, live);
  }
  return most;
}

int64_t ArenaProblem::countPairs() const {
  SmallVector<int64_t> firsts, lasts;
  for (const ArenaItem &item : items) {
    firsts.push_back(item.firstLaunch);
    lasts.push_back(item.lastLaunch);
  }
  sort(firsts);
  sort(lasts);
  // Each item pairs with those that started before it and have not ended.
  int64_t numPairs = 0, numEnded = 0;
  for (auto [numStarted, first] : enumerate(firsts)) {
    while (lasts[numEnded] < first)
      ++numEnded;
    numPairs += static_cast<int64_t>(numStarted) - numEnded;
  }
  return numPairs;
}

//===----------------------------------------------------------------------===//
// The best of the heuristics
//===----------------------------------------------------------------------===//

SmallVector<size_t> ArenaProblem::sortByFirstLaunch() const {
  SmallVector<size_t> indices;
  for (size_t index = 0; index < items.size(); ++index)
    if (items[index].bytes != 0)
      indices.push_back(index);
  auto getKey = [&](size_t index) {
    const ArenaItem &item = items[index];
    return std::tuple(item.firstLaunch, -item.lastLaunch, -item.bytes, index);
  };
  sort(indices,
       [&](size_t lhs, size_t rhs) { return getKey(lhs) < getKey(rhs); });
  return indices;
}

double lane::getArenaWeight(const ArenaItem &item, ArenaOrder order) {
  double life = static_cast<double>(item.lastLaunch - item.firstLaunch) + 1;
  switch (order) {
  case ArenaOrder::BySize:
    return static_cast<double>(item.bytes);
  case ArenaOrder::ByArea:
    return static_cast<double>(item.bytes) * life;
  case ArenaOrder::ByLife:
    return life;
  }
  llvm_unreachable("unknown order");
}

ArenaSolution lane::packArena(const ArenaProblem &problem) {
  int64_t lowerBound = problem.getLowerBoundBytes();
  ArenaSolution best = packBySweep(problem, ArenaOrder::BySize);
  auto improve = [&](function_ref<ArenaSolution()> pack) {
    if (best.arenaBytes <= lowerBound)
      return;
    ArenaSolution other = pack();
    if (other.arenaBytes < best.arenaBytes)
      best = std::move(other);
  };
  improve([&] { return packBySweep(problem, ArenaOrder::ByLife); });

  // A form of a language model has 5 to 20 pairs per item and one or two
  // thousand items: there are enough rounds, which take a tenth of a second.
  constexpr int64_t kMaxRounds = 256;
  int64_t maxPairs = 32 * static_cast<int64_t>(problem.items.size()) + 2097152;
  int64_t maxRounds = std::min(
      kMaxRounds, maxPairs / std::max<int64_t>(problem.countPairs(), 1));
  if (maxRounds == 0)
    return best;
  for (ArenaOrder order :
       {ArenaOrder::BySize, ArenaOrder::ByArea, ArenaOrder::ByLife})
    improve([&] {
      return packByGaps(problem, order, static_cast<unsigned>(maxRounds));
    });
  return best;
}

//===----------------------------------------------------------------------===//
// Verifier
//===----------------------------------------------------------------------===//

/// Checks the offset of one item.
static Error verifyItem(const ArenaProblem &problem,
                        const ArenaSolution &solution, size_t index) {
  int64_t offset = solution.offsets[index];
  int64_t bytes = problem.items[index].bytes;
  if (offset < 0 || offset % problem.alignmentBytes != 0)
    return createStringError(formatv("item {0} is at offset {1}, which is not "
                                     "a multiple of {2}",
                                     index, offset, problem.alignmentBytes)
                                 .str());
  std::optional<int64_t> end = checkedAddBytes(offset, bytes);
  if (!end || *end > solution.arenaBytes)
    return createStringError(formatv("item {0} of {1} bytes at offset {2} "
                                     "exceeds the arena of {3} bytes",
                                     index, bytes, offset, solution.arenaBytes)
                                 .str());
  return Error::success();
}

Error lane::verifyArena(const ArenaProblem &problem,
                        const ArenaSolution &solution) {
  if (solution.offsets.size() != problem.items.size())
    return createStringError(formatv("{0} offsets for {1} items",
                                     solution.offsets.size(),
                                     problem.items.size())
                                 .str());
  SmallVector<size_t> byFirst, byLast;
  for (size_t index = 0; index < problem.items.size(); ++index) {
    if (Error error = verifyItem(problem, solution, index))
      return error;
    if (problem.items[index].bytes != 0)
      byFirst.push_back(index);
  }
  byLast = byFirst;
  stable_sort(byFirst, [&](size_t lhs, size_t rhs) {
    return problem.items[lhs].firstLaunch < problem.items[rhs].firstLaunch;
  });
  stable_sort(byLast, [&](size_t lhs, size_t rhs) {
    return problem.items[lhs].lastLaunch < problem.items[rhs].lastLaunch;
  });

  // The live items by offset. They do not overlap each other, so a new item can
  // only overlap its neighbours.
  std::map<int64_t, size_t> live;
  auto overlaps = [&](size_t low, size_t high) {
    return solution.offsets[low] + problem.items[low].bytes >
           solution.offsets[high];
  };
  auto fail = [&](size_t lhs, size_t rhs) {
    if (lhs > rhs)
      std::swap(lhs, rhs);
    return createStringError(
        formatv("items {0} and {1} overlap at offsets {2} and {3}, and both "
                "live at launch {4}",
                lhs, rhs, solution.offsets[lhs], solution.offsets[rhs],
                std::max(problem.items[lhs].firstLaunch,
                         problem.items[rhs].firstLaunch))
            .str());
  };
  auto *dying = byLast.begin();
  for (size_t index : byFirst) {
    int64_t launch = problem.items[index].firstLaunch;
    for (; problem.items[*dying].lastLaunch < launch; ++dying)
      live.erase(solution.offsets[*dying]);
    auto [place, isNew] = live.try_emplace(solution.offsets[index], index);
    if (!isNew)
      return fail(place->second, index);
    auto next = std::next(place);
    if (next != live.end() && overlaps(index, next->second))
      return fail(index, next->second);
    if (place != live.begin() && overlaps(std::prev(place)->second, index))
      return fail(std::prev(place)->second, index);
  }
  return Error::success();
}
