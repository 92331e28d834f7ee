//===- TrafficSearch.h - Uploads with the least traffic ---------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Chooses uploads whose bytes cover a deficit, such that a step reads as few of
// their bytes as possible. The bytes that a step reads of an upload are its
// *traffic*. This is a covering knapsack. The planner and the generated program
// both use this search, so that they choose the same uploads.
//
// The search is dynamic programming over kinds of uploads. Uploads with the
// same bytes and traffic are of one kind and differ only in rank, so a solution
// takes the first ones of each kind. A state is the sum of the uploads taken
// from the first kinds. The search drops a state if another has no fewer bytes
// for no more traffic, or if the state cannot lead to a better cover than the
// best known. In dense models all kinds have about the same traffic per byte,
// so dynamic programming exceeds the step limit. Then exchanges among three
// kinds improve the best known cover. It is proven optimal if it meets the
// bound.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_SUPPORT_TRAFFICSEARCH_H
#define LANE_SUPPORT_TRAFFICSEARCH_H

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

namespace {

/// A product of two sizes.
__extension__ using LaneWide = unsigned __int128;

/// Default limit of search steps, which take less than a millisecond.
constexpr int64_t kLaneTrafficWorkLimit = int64_t(1) << 14;

/// Uploads with the same bytes and traffic.
struct LaneTrafficKind {
  int64_t bytes;
  int64_t traffic;
  /// The greatest common divisor of the traffic of this and all later kinds.
  int64_t divisor;
  /// Ascending ranks in the plan's order.
  std::vector<int64_t> ranks;

  int64_t getCount() const { return static_cast<int64_t>(ranks.size()); }
};

/// The sum of the uploads taken from the first kinds.
struct LaneTrafficState {
  int64_t bytes;
  int64_t traffic;
  /// Index of the state before the last kind.
  uint32_t parent;
  /// Number of uploads taken from the last kind.
  uint32_t count;
};

/// A set of uploads that covers the deficit.
struct LaneTrafficCover {
  int64_t traffic = std::numeric_limits<int64_t>::max();
  int64_t bytes = std::numeric_limits<int64_t>::max();
  /// Ascending ranks in the plan's order.
  std::vector<int64_t> ranks;
};

class LaneTrafficSearch {
public:
  /// `uploadBytes` and `stepBytes` are the bytes of each upload and those that
  /// a step reads of it, in the plan's order. Their sums fit in int64_t. The
  /// deficit is above 0, and all uploads together cover it.
  LaneTrafficSearch(const int64_t *uploadBytes, const int64_t *stepBytes,
                    int64_t numUploads, int64_t deficit, int64_t workLimit);

  /// A lower bound of the traffic of any cover: the least traffic if one upload
  /// could be split, rounded up to a multiple of the common divisor.
  int64_t getBound() const { return bound; }

  /// Finds the cover with the least traffic. Ties go to fewer bytes, then to
  /// uploads that are earlier in the order. If the search reaches the limit, it
  /// returns the best known cover, which is never worse than that of the
  /// specified order.
  LaneTrafficCover run();

  /// Whether the cover that `run` returned is proven optimal.
  bool isLeast() const { return hasEnded || best.traffic <= provenBound; }

private:
  bool findBound(size_t kind, int64_t missing, int64_t &traffic) const;
  bool isWorthwhile(int64_t traffic, int64_t bytes) const;
  void propose(int64_t traffic, int64_t bytes, std::vector<int64_t> ranks);
  void coverInOrder();
  void coverByRatio();
  bool extend(size_t kind);
  void exchange();
  bool exchangeAmong(size_t first, size_t second, size_t third,
                     std::vector<int64_t> &counts);
  void keepBest(size_t kind, std::vector<LaneTrafficState> &states);
  std::vector<int64_t> getRanks(size_t numKinds, LaneTrafficState state) const;

  const int64_t *uploadBytes;
  const int64_t *stepBytes;
  int64_t deficit;
  int64_t workLimit;
  /// By ascending traffic per byte.
  std::vector<LaneTrafficKind> kinds;
  /// `stages[n]` has the states after the first n kinds.
  std::vector<std::vector<LaneTrafficState>> stages;
  LaneTrafficCover best;
  int64_t bound = 0;
  /// The bound after the search has raised it.
  int64_t provenBound = 0;
  mutable int64_t work = 0;
  bool hasEnded = false;
};

inline LaneTrafficSearch::LaneTrafficSearch(const int64_t *uploadBytes,
                                            const int64_t *stepBytes,
                                            int64_t numUploads, int64_t deficit,
                                            int64_t workLimit)
    : uploadBytes(uploadBytes), stepBytes(stepBytes), deficit(deficit),
      workLimit(workLimit) {
  std::map<std::pair<int64_t, int64_t>, size_t> indices;
  for (int64_t rank = 0; rank < numUploads; ++rank) {
    int64_t bytes = uploadBytes[rank], traffic = stepBytes[rank];
    // An upload without bytes cannot cover any.
    if (bytes == 0)
      continue;
    auto [it, isNew] = indices.try_emplace({bytes, traffic}, kinds.size());
    if (isNew)
      kinds.push_back({bytes, traffic, 0, {}});
    kinds[it->second].ranks.push_back(rank);
  }
  std::stable_sort(
      kinds.begin(), kinds.end(),
      [](const LaneTrafficKind &lhs, const LaneTrafficKind &rhs) {
        LaneWide left = LaneWide(lhs.traffic) * LaneWide(rhs.bytes);
        LaneWide right = LaneWide(rhs.traffic) * LaneWide(lhs.bytes);
        return left != right ? left < right : lhs.bytes > rhs.bytes;
      });
  int64_t divisor = 0;
  for (size_t kind = kinds.size(); kind-- > 0;) {
    divisor = std::gcd(divisor, kinds[kind].traffic);
    kinds[kind].divisor = divisor;
  }
  findBound(0, deficit, bound);
  provenBound = bound;
}

/// Adds to `traffic` a lower bound of the traffic of `missing` bytes from
/// `kind` and the kinds after it. Returns false if these kinds have fewer
/// bytes.
inline bool LaneTrafficSearch::findBound(size_t kind, int64_t missing,
                                         int64_t &traffic) const {
  if (missing <= 0)
    return true;
  int64_t divisor = kind < kinds.size() ? kinds[kind].divisor : 0;
  int64_t rest = 0;
  for (; missing > 0 && kind < kinds.size(); ++kind) {
    ++work;
    const LaneTrafficKind &next = kinds[kind];
    int64_t whole = std::min(next.getCount(), missing / next.bytes);
    rest += whole * next.traffic;
    missing -= whole * next.bytes;
    if (missing == 0 || whole == next.getCount())
      continue;
    LaneWide part = LaneWide(next.traffic) * LaneWide(missing);
    rest += static_cast<int64_t>((part + LaneWide(next.bytes - 1)) /
                                 LaneWide(next.bytes));
    missing = 0;
  }
  if (divisor > 0 && rest % divisor != 0)
    rest += divisor - rest % divisor;
  traffic += rest;
  return missing <= 0;
}

inline bool LaneTrafficSearch::isWorthwhile(int64_t traffic,
                                            int64_t bytes) const {
  return std::tie(traffic, bytes) <= std::tie(best.traffic, best.bytes);
}

/// Replaces the best known cover if this one is better.
inline void LaneTrafficSearch::propose(int64_t traffic, int64_t bytes,
                                       std::vector<int64_t> ranks) {
  std::sort(ranks.begin(), ranks.end());
  // A cover has ranks; before the first, the best has none.
  if (best.ranks.empty() || std::tie(traffic, bytes, ranks) <
                                std::tie(best.traffic, best.bytes, best.ranks))
    best = {traffic, bytes, std::move(ranks)};
}

/// Proposes the cover of the specified order, so that no result is worse.
inline void LaneTrafficSearch::coverInOrder() {
  std::vector<int64_t> ranks;
  int64_t bytes = 0, traffic = 0;
  for (int64_t rank = 0; bytes < deficit; ++rank) {
    ranks.push_back(rank);
    bytes += uploadBytes[rank];
    traffic += stepBytes[rank];
  }
  propose(traffic, bytes, std::move(ranks));
}

/// Proposes covers by traffic per byte: uploads of the first kinds while they
/// do not exceed the deficit, then the cheapest upload that covers the rest.
/// Also tries fewer of the first kinds, within a quarter of the step limit.
inline void LaneTrafficSearch::coverByRatio() {
  // The sums of the first kinds up to the deficit.
  std::vector<LaneTrafficState> prefixes;
  LaneTrafficState sum{0, 0, 0, 0};
  for (size_t kind = 0; kind < kinds.size() && sum.bytes < deficit; ++kind) {
    int64_t whole = std::min(kinds[kind].getCount(),
                             (deficit - sum.bytes) / kinds[kind].bytes);
    sum = {sum.bytes + whole * kinds[kind].bytes,
           sum.traffic + whole * kinds[kind].traffic, 0,
           static_cast<uint32_t>(whole)};
    prefixes.push_back(sum);
  }
  auto getPrefixRanks = [&](size_t numKinds) {
    std::vector<int64_t> ranks;
    for (size_t kind = 0; kind < numKinds; ++kind)
      ranks.insert(ranks.end(), kinds[kind].ranks.begin(),
                   kinds[kind].ranks.begin() + prefixes[kind].count);
    return ranks;
  };
  if (sum.bytes == deficit)
    return propose(sum.traffic, sum.bytes, getPrefixRanks(prefixes.size()));
  for (size_t kind = prefixes.size(); kind-- > 0 && work < workLimit / 4;) {
    const LaneTrafficState &prefix = prefixes[kind];
    for (size_t last = kind; last < kinds.size(); ++last) {
      ++work;
      const LaneTrafficKind &closing = kinds[last];
      int64_t taken = last == kind ? prefix.count : 0;
      if (closing.bytes < deficit - prefix.bytes ||
          taken == closing.getCount() ||
          !isWorthwhile(prefix.traffic + closing.traffic,
                        prefix.bytes + closing.bytes))
        continue;
      std::vector<int64_t> closed = getPrefixRanks(kind + 1);
      closed.push_back(closing.ranks[static_cast<size_t>(taken)]);
      propose(prefix.traffic + closing.traffic, prefix.bytes + closing.bytes,
              std::move(closed));
    }
  }
}

/// The ranks of the uploads in `state`, which is after the first `numKinds`
/// kinds.
inline std::vector<int64_t>
LaneTrafficSearch::getRanks(size_t numKinds, LaneTrafficState state) const {
  std::vector<int64_t> ranks;
  for (size_t kind = numKinds; kind-- > 0;) {
    const std::vector<int64_t> &given = kinds[kind].ranks;
    ranks.insert(ranks.end(), given.begin(), given.begin() + state.count);
    state = stages[kind][state.parent];
  }
  std::sort(ranks.begin(), ranks.end());
  work += static_cast<int64_t>(ranks.size() + numKinds);
  return ranks;
}

/// Drops each state for which another has no fewer bytes and less traffic, or
/// equal values with uploads that are earlier in the order.
inline void LaneTrafficSearch::keepBest(size_t kind,
                                        std::vector<LaneTrafficState> &states) {
  std::stable_sort(
      states.begin(), states.end(),
      [](const LaneTrafficState &lhs, const LaneTrafficState &rhs) {
        return lhs.bytes != rhs.bytes ? lhs.bytes > rhs.bytes
                                      : lhs.traffic < rhs.traffic;
      });
  std::vector<LaneTrafficState> kept;
  int64_t least = std::numeric_limits<int64_t>::max();
  for (const LaneTrafficState &state : states) {
    if (state.traffic > least)
      continue;
    least = state.traffic;
    bool isSame = !kept.empty() && kept.back().bytes == state.bytes &&
                  kept.back().traffic == state.traffic;
    if (!isSame)
      kept.push_back(state);
    else if (getRanks(kind + 1, state) < getRanks(kind + 1, kept.back()))
      kept.back() = state;
  }
  states = std::move(kept);
}

/// Extends each state by uploads of one more kind. Returns false if the search
/// reaches the limit.
inline bool LaneTrafficSearch::extend(size_t kindIndex) {
  const LaneTrafficKind &kind = kinds[kindIndex];
  std::vector<LaneTrafficState> next;
  int64_t least = std::numeric_limits<int64_t>::max();
  for (size_t parent = 0; parent < stages[kindIndex].size(); ++parent) {
    LaneTrafficState state = stages[kindIndex][parent];
    for (int64_t count = 0; count <= kind.getCount(); ++count) {
      if (++work > workLimit)
        return false;
      LaneTrafficState taken{state.bytes + count * kind.bytes,
                             state.traffic + count * kind.traffic,
                             static_cast<uint32_t>(parent),
                             static_cast<uint32_t>(count)};
      if (taken.bytes >= deficit) {
        // More uploads of this kind only add traffic.
        if (isWorthwhile(taken.traffic, taken.bytes))
          propose(taken.traffic, taken.bytes, getRanks(kindIndex + 1, taken));
        break;
      }
      int64_t traffic = taken.traffic;
      if (!findBound(kindIndex + 1, deficit - taken.bytes, traffic) ||
          !isWorthwhile(traffic, deficit))
        continue;
      least = std::min(least, traffic);
      next.push_back(taken);
    }
  }
  keepBest(kindIndex, next);
  // Each better cover extends one of these states.
  provenBound = std::max(provenBound, std::min(least, best.traffic));
  stages.push_back(std::move(next));
  return true;
}

/// Removes or adds up to 8 uploads of two kinds, and takes as many of a third
/// kind as the deficit then requires. Returns true after the first improvement.
inline bool LaneTrafficSearch::exchangeAmong(size_t first, size_t second,
                                             size_t third,
                                             std::vector<int64_t> &counts) {
  constexpr int64_t kMaxMoved = 8;
  const LaneTrafficKind &a = kinds[first], &b = kinds[second],
                        &c = kinds[third];
  for (int64_t i = -kMaxMoved; i <= kMaxMoved; ++i) {
    int64_t countA = counts[first] + i;
    if (countA < 0 || countA > a.getCount())
      continue;
    for (int64_t j = -kMaxMoved; j <= kMaxMoved; ++j) {
      int64_t countB = counts[second] + j;
      if (countB < 0 || countB > b.getCount())
        continue;
      ++work;
      int64_t missing = deficit - best.bytes - i * a.bytes - j * b.bytes;
      // Round up for either sign.
      int64_t k = missing > 0 ? (missing + c.bytes - 1) / c.bytes
                              : -(-missing / c.bytes);
      int64_t countC = counts[third] + k;
      if (countC < 0 || countC > c.getCount())
        continue;
      int64_t traffic =
          best.traffic + i * a.traffic + j * b.traffic + k * c.traffic;
      int64_t bytes = best.bytes + i * a.bytes + j * b.bytes + k * c.bytes;
      if (std::tie(traffic, bytes) >= std::tie(best.traffic, best.bytes))
        continue;
      counts[first] = countA;
      counts[second] = countB;
      counts[third] = countC;
      best.traffic = traffic;
      best.bytes = bytes;
      return true;
    }
  }
  return false;
}

/// Exchanges uploads among any three kinds while that improves the cover, for
/// at most another `workLimit` steps.
inline void LaneTrafficSearch::exchange() {
  std::vector<int64_t> counts;
  counts.reserve(kinds.size());
  for (const LaneTrafficKind &kind : kinds)
    counts.push_back(
        std::count_if(kind.ranks.begin(), kind.ranks.end(), [&](int64_t rank) {
          return std::binary_search(best.ranks.begin(), best.ranks.end(), rank);
        }));
  int64_t limit = work + workLimit;
  auto canImprove = [&] { return work < limit && best.traffic > provenBound; };
  bool hasImproved = true;
  while (hasImproved && canImprove()) {
    hasImproved = false;
    for (size_t third = 0; third < kinds.size() && canImprove(); ++third)
      for (size_t first = 0; first < kinds.size() && canImprove(); ++first)
        for (size_t second = first + 1; second < kinds.size(); ++second) {
          if (first == third || second == third)
            continue;
          while (canImprove() && exchangeAmong(first, second, third, counts))
            hasImproved = true;
        }
  }
  best.ranks.clear();
  for (size_t kind = 0; kind < kinds.size(); ++kind)
    best.ranks.insert(best.ranks.end(), kinds[kind].ranks.begin(),
                      kinds[kind].ranks.begin() + counts[kind]);
  std::sort(best.ranks.begin(), best.ranks.end());
}

inline LaneTrafficCover LaneTrafficSearch::run() {
  coverInOrder();
  coverByRatio();
  stages.push_back({LaneTrafficState{0, 0, 0, 0}});
  hasEnded = true;
  for (size_t kind = 0; kind < kinds.size() && hasEnded; ++kind)
    hasEnded = extend(kind);
  if (!hasEnded)
    exchange();
  return best;
}

} // namespace

#endif // LANE_SUPPORT_TRAFFICSEARCH_H
