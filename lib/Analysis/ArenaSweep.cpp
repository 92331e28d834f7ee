//===- ArenaSweep.cpp - Packing along the launches ------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Analysis/ArenaPacking.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <set>

using namespace llvm;
using namespace lane;

namespace {
/// The holes below the top of the arena. No two are adjacent.
class FreeList {
public:
  /// Allocates `bytes` in the smallest hole that is large enough, preferring
  /// the lowest. Otherwise raises the top, using the hole just below it if any.
  int64_t allocate(int64_t bytes);
  void free(int64_t offset, int64_t bytes);
  int64_t getTop() const { return highest; }

private:
  void insert(int64_t offset, int64_t bytes) {
    byOffset.emplace(offset, bytes);
    bySize.emplace(bytes, offset);
  }
  void erase(std::map<int64_t, int64_t>::iterator hole) {
    bySize.erase({hole->second, hole->first});
    byOffset.erase(hole);
  }

  std::map<int64_t, int64_t> byOffset;
  std::set<std::pair<int64_t, int64_t>> bySize;
  int64_t highest = 0;
};
} // namespace

int64_t FreeList::allocate(int64_t bytes) {
  auto fit = bySize.lower_bound({bytes, 0});
  if (fit != bySize.end()) {
    auto [holeBytes, offset] = *fit;
    erase(byOffset.find(offset));
    if (holeBytes > bytes)
      insert(offset + bytes, holeBytes - bytes);
    return offset;
  }
  int64_t offset = highest;
  if (!byOffset.empty()) {
    auto last = std::prev(byOffset.end());
    if (last->first + last->second == highest) {
      offset = last->first;
      erase(last);
    }
  }
  highest = offset + bytes;
  return offset;
}

void FreeList::free(int64_t offset, int64_t bytes) {
  auto next = byOffset.lower_bound(offset);
  if (next != byOffset.end() && next->first == offset + bytes) {
    bytes += next->second;
    erase(next++);
  }
  if (next != byOffset.begin()) {
    auto previous = std::prev(next);
    if (previous->first + previous->second == offset) {
      offset = previous->first;
      bytes += previous->second;
      erase(previous);
    }
  }
  insert(offset, bytes);
}

ArenaSolution lane::packBySweep(const ArenaProblem &problem, ArenaOrder order) {
  ArenaSolution solution;
  solution.offsets.assign(problem.items.size(), 0);
  SmallVector<size_t> byFirst = problem.sortByFirstLaunch();
  SmallVector<size_t> byLast = byFirst;
  stable_sort(byFirst, [&](size_t lhs, size_t rhs) {
    const ArenaItem &left = problem.items[lhs], &right = problem.items[rhs];
    if (left.firstLaunch != right.firstLaunch)
      return left.firstLaunch < right.firstLaunch;
    return getArenaWeight(left, order) > getArenaWeight(right, order);
  });
  stable_sort(byLast, [&](size_t lhs, size_t rhs) {
    return problem.items[lhs].lastLaunch < problem.items[rhs].lastLaunch;
  });

  FreeList holes;
  auto *dying = byLast.begin();
  for (size_t index : byFirst) {
    const ArenaItem &item = problem.items[index];
    for (; problem.items[*dying].lastLaunch < item.firstLaunch; ++dying)
      holes.free(solution.offsets[*dying],
                 problem.getPaddedBytes(problem.items[*dying]));
    solution.offsets[index] = holes.allocate(problem.getPaddedBytes(item));
  }
  solution.arenaBytes = holes.getTop();
  return solution;
}
