//===- TrafficSearch.h - The uploads that cost a step least -----*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which uploads leave the device for a deficit of bytes, so that a step reads
// the fewest bytes of them from the host: a covering knapsack. The planner and
// the generated program both run this, so that they never differ.
//
// The search is a dynamic programme over kinds of uploads. Uploads of the same
// bytes and traffic differ only in rank, so of each kind the first ones move.
// It drops partial sums that another covers for less, or that cannot come to
// less than the best known. In dense models all kinds cost about the same a
// byte, and the programme takes too long; then exchanges among three kinds
// improve the best known, which is proven optimal where it meets the bound.
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

/// Steps of the search after which it returns the best that it has: so many
/// take less than a millisecond.
constexpr int64_t kLaneTrafficWorkLimit = int64_t(1) << 14;

/// Uploads of the same bytes and traffic.
struct LaneTrafficKind {
  int64_t bytes;
  int64_t traffic;
  /// What divides the traffic of this kind and of all after it.
  int64_t divisor;
  /// Ascending.
  std::vector<int64_t> ranks;

  int64_t getCount() const { return static_cast<int64_t>(ranks.size()); }
};

/// The first kinds have each given so many of their first.
struct LaneTrafficState {
  int64_t bytes;
  int64_t traffic;
  /// The state before the last kind, and what that kind gave.
  uint32_t parent;
  uint32_t count;
};

/// A set of uploads that covers the deficit.
struct LaneTrafficCover {
  int64_t traffic = std::numeric_limits<int64_t>::max();
  int64_t bytes = std::numeric_limits<int64_t>::max();
  /// Ascending.
  std::vector<int64_t> ranks;
};

class LaneTrafficSearch {
public:
  /// Uploads in the plan's order, with their bytes and what a step reads of
  /// them; their sums are within int64. Some of them cover the deficit, which
  /// is above 0.
  LaneTrafficSearch(const int64_t *uploadBytes, const int64_t *stepBytes,
                    int64_t numUploads, int64_t deficit, int64_t workLimit);

  /// What the least traffic would be if one upload could be split, rounded up
  /// to what uploads can have together: no cover has less.
  int64_t getBound() const { return bound; }

  /// Finds the cover of the least traffic; of equal ones that of the fewest
  /// bytes, then the one that comes first in the order. Past the limit it
  /// returns the best found, which is never worse than the specified order.
  LaneTrafficCover run();

  /// Whether no cover has less traffic than the one found.
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
  /// By traffic a byte, the cheapest first.
  std::vector<LaneTrafficKind> kinds;
  /// States after none of the kinds, after the first, and so on.
  std::vector<std::vector<LaneTrafficState>> stages;
  LaneTrafficCover best;
  int64_t bound = 0;
  /// The bound as the search has raised it.
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
    // What has no bytes covers none.
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

/// Adds to `traffic` what `missing` bytes more from the kinds from `kind` on
/// have at least. False where they do not have that many bytes.
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

/// Takes a cover where it is better than the best.
inline void LaneTrafficSearch::propose(int64_t traffic, int64_t bytes,
                                       std::vector<int64_t> ranks) {
  std::sort(ranks.begin(), ranks.end());
  // A cover has ranks; before the first, the best has none.
  if (best.ranks.empty() || std::tie(traffic, bytes, ranks) <
                                std::tie(best.traffic, best.bytes, best.ranks))
    best = {traffic, bytes, std::move(ranks)};
}

/// The specified policy, which no answer may be worse than.
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

/// The cheapest by the byte, for as long as they are wholly needed, and then
/// the one upload that closes the gap for least; or some kinds fewer of the
/// cheapest, and one that closes a larger gap, while there is work left.
inline void LaneTrafficSearch::coverByRatio() {
  // What the first kinds give until the deficit is met.
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

/// The uploads that `state`, which follows `numKinds` kinds, has moved.
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

/// Drops the states that another makes needless: one with no fewer bytes for
/// less traffic, or the same with uploads that come first in the order.
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

/// Lets each state take some of one more kind. False past the limit.
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
        // More of the kind would only cost more.
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
  // What is left of the covers is one of these states' or the best known.
  provenBound = std::max(provenBound, std::min(least, best.traffic));
  stages.push_back(std::move(next));
  return true;
}

/// Gives some of two kinds back, or takes more of them, and takes of a third
/// what is then needed. True where that is better.
inline bool LaneTrafficSearch::exchangeAmong(size_t first, size_t second,
                                             size_t third,
                                             std::vector<int64_t> &counts) {
  constexpr int64_t kMostMoved = 8;
  const LaneTrafficKind &a = kinds[first], &b = kinds[second],
                        &c = kinds[third];
  for (int64_t i = -kMostMoved; i <= kMostMoved; ++i) {
    int64_t countA = counts[first] + i;
    if (countA < 0 || countA > a.getCount())
      continue;
    for (int64_t j = -kMostMoved; j <= kMostMoved; ++j) {
      int64_t countB = counts[second] + j;
      if (countB < 0 || countB > b.getCount())
        continue;
      ++work;
      int64_t missing = deficit - best.bytes - i * a.bytes - j * b.bytes;
      // Rounded up, whatever its sign.
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

/// Exchanges among any three kinds for as long as one is better and the work
/// has as many steps again.
inline void LaneTrafficSearch::exchange() {
  std::vector<int64_t> counts;
  for (const LaneTrafficKind &kind : kinds)
    counts.push_back(
        std::count_if(kind.ranks.begin(), kind.ranks.end(), [&](int64_t rank) {
          return std::binary_search(best.ranks.begin(), best.ranks.end(), rank);
        }));
  int64_t limit = work + workLimit;
  auto goesOn = [&] { return work < limit && best.traffic > provenBound; };
  bool isBetter = true;
  while (isBetter && goesOn()) {
    isBetter = false;
    for (size_t third = 0; third < kinds.size() && goesOn(); ++third)
      for (size_t first = 0; first < kinds.size() && goesOn(); ++first)
        for (size_t second = first + 1; second < kinds.size(); ++second) {
          if (first == third || second == third)
            continue;
          while (goesOn() && exchangeAmong(first, second, third, counts))
            isBetter = true;
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
