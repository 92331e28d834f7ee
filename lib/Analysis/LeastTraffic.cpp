//===- LeastTraffic.cpp - The uploads that cost a step least --------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A dynamic programme over kinds of uploads: those of the same bytes and
// traffic differ in rank alone, so of each kind the first so many move. Partial
// sums that another covers for less, or that cannot come to less than the best
// known, are dropped.
//
//===----------------------------------------------------------------------===//

#include "lane/Analysis/LeastTraffic.h"
#include "lane/Support/Bytes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <limits>
#include <map>
#include <tuple>

using namespace llvm;
using namespace lane;

namespace {

// A product of two figures; GCC's, as LLVM uses it too.
__extension__ using Wide = unsigned __int128;

struct Kind {
  int64_t bytes;
  int64_t traffic;
  /// Ascending.
  SmallVector<int64_t> ranks;

  int64_t getCount() const { return ranks.size(); }
};

/// The first kinds have each given so many of their first.
struct State {
  int64_t bytes = 0;
  int64_t traffic = 0;
  /// The state before the last kind, and what that kind gave.
  uint32_t parent = 0;
  uint32_t count = 0;
};

/// A set of uploads that covers the deficit.
struct Cover {
  int64_t traffic = std::numeric_limits<int64_t>::max();
  int64_t bytes = std::numeric_limits<int64_t>::max();
  SmallVector<int64_t> ranks;

  bool isBetterThan(const Cover &other) const {
    return std::tie(traffic, bytes, ranks) <
           std::tie(other.traffic, other.bytes, other.ranks);
  }
};

class Search {
public:
  Search(const TrafficProblem &problem, int64_t deficit, int64_t workLimit);

  /// Least traffic of what covers the deficit, were one upload parted.
  int64_t getBound() const { return *getBound(0, deficit); }
  void run();
  Cover takeBest() { return std::move(best); }
  bool isExact() const { return exact; }

private:
  std::optional<int64_t> getBound(size_t kind, int64_t bytes) const;
  Cover makeCover(SmallVector<int64_t> ranks) const;
  void coverInOrder();
  void coverByRatio();
  bool extend(size_t kind);
  void addCover(size_t kind, const State &state);
  void keepBest(size_t kind, std::vector<State> &states) const;
  SmallVector<int64_t> getRanks(size_t numKinds, State state) const;

  const TrafficProblem &problem;
  int64_t deficit;
  int64_t workLimit;
  /// By traffic a byte, the cheapest first.
  std::vector<Kind> kinds;
  /// States after none of the kinds, after the first, and so on.
  std::vector<std::vector<State>> stages;
  Cover best;
  int64_t work = 0;
  bool exact = true;
};

} // namespace

Search::Search(const TrafficProblem &problem, int64_t deficit,
               int64_t workLimit)
    : problem(problem), deficit(deficit), workLimit(workLimit) {
  std::map<std::pair<int64_t, int64_t>, size_t> indices;
  for (auto [rank, bytes] : enumerate(problem.placement.uploadBytes)) {
    // What has no bytes covers none.
    if (bytes == 0)
      continue;
    int64_t traffic = problem.stepBytes[rank];
    auto [it, isNew] = indices.try_emplace({bytes, traffic}, kinds.size());
    if (isNew)
      kinds.push_back({bytes, traffic, {}});
    kinds[it->second].ranks.push_back(rank);
  }
  llvm::stable_sort(kinds, [](const Kind &lhs, const Kind &rhs) {
    Wide left = Wide(lhs.traffic) * rhs.bytes;
    Wide right = Wide(rhs.traffic) * lhs.bytes;
    return left != right ? left < right : lhs.bytes > rhs.bytes;
  });
}

/// Least traffic of `bytes` more from the kinds from `kind` on, were the last
/// upload parted; none where they have not so many.
std::optional<int64_t> Search::getBound(size_t kind, int64_t bytes) const {
  int64_t traffic = 0;
  for (; bytes > 0 && kind < kinds.size(); ++kind) {
    const Kind &next = kinds[kind];
    int64_t whole = std::min(next.getCount(), bytes / next.bytes);
    traffic += whole * next.traffic;
    bytes -= whole * next.bytes;
    if (whole == next.getCount())
      continue;
    Wide part = Wide(next.traffic) * bytes + (next.bytes - 1);
    return traffic + static_cast<int64_t>(part / next.bytes);
  }
  if (bytes > 0)
    return std::nullopt;
  return traffic;
}

Cover Search::makeCover(SmallVector<int64_t> ranks) const {
  Cover cover;
  cover.traffic = cover.bytes = 0;
  cover.ranks = std::move(ranks);
  llvm::sort(cover.ranks);
  for (int64_t rank : cover.ranks) {
    cover.traffic += problem.stepBytes[rank];
    cover.bytes += problem.placement.uploadBytes[rank];
  }
  return cover;
}

/// The specified policy, which no answer may be worse than.
void Search::coverInOrder() {
  SmallVector<int64_t> ranks;
  int64_t bytes = 0;
  for (int64_t rank = 0; bytes < deficit; ++rank) {
    ranks.push_back(rank);
    bytes += problem.placement.uploadBytes[rank];
  }
  best = makeCover(std::move(ranks));
}

/// The cheapest by the byte, for as long as they are wholly needed, and then
/// the one upload that closes the gap for least.
void Search::coverByRatio() {
  SmallVector<int64_t> ranks;
  int64_t missing = deficit;
  for (const Kind &kind : kinds) {
    int64_t whole = std::min(kind.getCount(), missing / kind.bytes);
    ranks.append(kind.ranks.begin(), kind.ranks.begin() + whole);
    missing -= whole * kind.bytes;
    if (missing == 0) {
      Cover cover = makeCover(ranks);
      if (cover.isBetterThan(best))
        best = std::move(cover);
      return;
    }
    for (const Kind &last : kinds) {
      if (last.bytes < missing)
        continue;
      // Its first that is not taken yet.
      auto free = llvm::find_if(
          last.ranks, [&](int64_t rank) { return !is_contained(ranks, rank); });
      if (free == last.ranks.end())
        continue;
      SmallVector<int64_t> closed = ranks;
      closed.push_back(*free);
      Cover cover = makeCover(std::move(closed));
      if (cover.isBetterThan(best))
        best = std::move(cover);
    }
  }
}

/// The uploads that `state`, which follows `numKinds` kinds, has moved.
SmallVector<int64_t> Search::getRanks(size_t numKinds, State state) const {
  SmallVector<int64_t> ranks;
  for (size_t kind = numKinds; kind-- > 0;) {
    ArrayRef<int64_t> given = ArrayRef(kinds[kind].ranks);
    ranks.append(given.begin(), given.begin() + state.count);
    state = stages[kind][state.parent];
  }
  llvm::sort(ranks);
  return ranks;
}

void Search::addCover(size_t kind, const State &state) {
  if (std::tie(state.traffic, state.bytes) > std::tie(best.traffic, best.bytes))
    return;
  Cover cover{state.traffic, state.bytes, getRanks(kind + 1, state)};
  if (cover.isBetterThan(best))
    best = std::move(cover);
}

/// Drops the states that another makes needless: one with no fewer bytes for
/// less traffic, or the same with uploads that come first in the order.
void Search::keepBest(size_t kind, std::vector<State> &states) const {
  llvm::stable_sort(states, [](const State &lhs, const State &rhs) {
    return std::tuple(-lhs.bytes, lhs.traffic) <
           std::tuple(-rhs.bytes, rhs.traffic);
  });
  std::vector<State> kept;
  int64_t least = std::numeric_limits<int64_t>::max();
  for (const State &state : states) {
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
bool Search::extend(size_t kindIndex) {
  const Kind &kind = kinds[kindIndex];
  std::vector<State> next;
  for (auto [parent, state] : enumerate(stages[kindIndex])) {
    for (int64_t count = 0; count <= kind.getCount(); ++count) {
      if (++work > workLimit)
        return false;
      State taken{state.bytes + count * kind.bytes,
                  state.traffic + count * kind.traffic,
                  static_cast<uint32_t>(parent), static_cast<uint32_t>(count)};
      if (taken.bytes >= deficit) {
        // More of the kind would only cost more.
        addCover(kindIndex, taken);
        break;
      }
      std::optional<int64_t> rest =
          getBound(kindIndex + 1, deficit - taken.bytes);
      if (!rest || std::tuple(taken.traffic + *rest, deficit) >
                       std::tuple(best.traffic, best.bytes))
        continue;
      next.push_back(taken);
    }
  }
  keepBest(kindIndex, next);
  stages.push_back(std::move(next));
  return true;
}

void Search::run() {
  coverInOrder();
  coverByRatio();
  stages.push_back({State()});
  for (size_t kind = 0; kind < kinds.size() && exact; ++kind)
    exact = extend(kind);
}

//===----------------------------------------------------------------------===//
// Interface
//===----------------------------------------------------------------------===//

Error TrafficProblem::check() const {
  if (Error error = placement.check())
    return error;
  if (stepBytes.size() != placement.uploadBytes.size())
    return createStringError(formatv("{0} uploads have the traffic of {1}",
                                     placement.uploadBytes.size(),
                                     stepBytes.size())
                                 .str());
  int64_t sum = 0;
  for (auto [rank, bytes] : enumerate(stepBytes)) {
    std::optional<int64_t> next =
        bytes < 0 ? std::nullopt : checkedAddBytes(sum, bytes);
    if (!next)
      return createStringError(
          formatv("the traffic of {0} bytes of upload {1} is negative or "
                  "brings the sum past 2^63",
                  bytes, rank)
              .str());
    sum = *next;
  }
  return Error::success();
}

/// Bytes that must leave the device; none where not positive.
static int64_t getDeficit(const TrafficProblem &problem, int64_t budgetBytes) {
  return problem.placement.getWholeBytes() - budgetBytes;
}

static TrafficPlacement makePlacement(const TrafficProblem &problem,
                                      int64_t budgetBytes, Cover cover) {
  TrafficPlacement placement;
  placement.budgetBytes = budgetBytes;
  placement.moved = std::move(cover.ranks);
  placement.deviceBytes = problem.placement.getWholeBytes() - cover.bytes;
  placement.hostBytes = cover.bytes;
  placement.hostStepBytes = cover.traffic;
  return placement;
}

Expected<TrafficPlacement>
lane::placeLeastTraffic(const TrafficProblem &problem, int64_t budgetBytes,
                        int64_t workLimit) {
  Expected<Placement> placed = placeInOrder(problem.placement, budgetBytes);
  if (!placed)
    return placed.takeError();
  int64_t deficit = getDeficit(problem, budgetBytes);
  if (deficit <= 0)
    return makePlacement(problem, budgetBytes, Cover{0, 0, {}});
  Search search(problem, deficit, workLimit);
  search.run();
  TrafficPlacement placement =
      makePlacement(problem, budgetBytes, search.takeBest());
  placement.boundHostStepBytes = search.getBound();
  placement.isExact = search.isExact();
  return placement;
}

Expected<TrafficPlacement>
lane::placeInOrderWithTraffic(const TrafficProblem &problem,
                              int64_t budgetBytes) {
  Expected<Placement> placed = placeInOrder(problem.placement, budgetBytes);
  if (!placed)
    return placed.takeError();
  Cover cover{0, placed->hostBytes, {}};
  for (int64_t rank = 0; rank < placed->moved; ++rank) {
    cover.traffic += problem.stepBytes[rank];
    cover.ranks.push_back(rank);
  }
  TrafficPlacement placement =
      makePlacement(problem, budgetBytes, std::move(cover));
  int64_t deficit = getDeficit(problem, budgetBytes);
  if (deficit > 0)
    placement.boundHostStepBytes =
        Search(problem, deficit, /*workLimit=*/0).getBound();
  // Another order may be better.
  placement.isExact = placement.hostStepBytes == placement.boundHostStepBytes;
  return placement;
}

Error lane::verifyTrafficPlacement(const TrafficProblem &problem,
                                   const TrafficPlacement &placement) {
  auto refuse = [](const formatv_object_base &why) {
    return createStringError(why.str());
  };
  int64_t hostBytes = 0, stepBytes = 0, last = -1;
  for (int64_t rank : placement.moved) {
    if (rank <= last || rank >= static_cast<int64_t>(problem.stepBytes.size()))
      return refuse(formatv("rank {0} of {1} after {2}", rank,
                            problem.stepBytes.size(), last));
    last = rank;
    hostBytes += problem.placement.uploadBytes[rank];
    stepBytes += problem.stepBytes[rank];
  }
  if (hostBytes != placement.hostBytes || stepBytes != placement.hostStepBytes)
    return refuse(formatv("{0} bytes with a traffic of {1} are moved, but the "
                          "uploads have {2} and {3}",
                          placement.hostBytes, placement.hostStepBytes,
                          hostBytes, stepBytes));
  int64_t deviceBytes = problem.placement.getWholeBytes() - hostBytes;
  if (deviceBytes != placement.deviceBytes ||
      deviceBytes > placement.budgetBytes)
    return refuse(formatv("device bytes are {0} on a budget of {1}, but what "
                          "stays has {2}",
                          placement.deviceBytes, placement.budgetBytes,
                          deviceBytes));
  if (stepBytes < placement.boundHostStepBytes)
    return refuse(formatv("the traffic of {0} is less than the bound of {1}",
                          stepBytes, placement.boundHostStepBytes));
  return Error::success();
}
