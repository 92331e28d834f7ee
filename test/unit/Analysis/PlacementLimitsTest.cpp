//===- PlacementLimitsTest.cpp - Page tables and the limit of the host ----===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Analysis/Placement.h"
#include "lane/Analysis/Sweep.h"
#include "lane/Dialect/Lane/IR/LaneDialect.h"
#include "lane/Support/PageTables.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <limits>
#include <optional>
#include <random>

using namespace lane;

namespace {

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
constexpr int64_t kMiB = int64_t(1) << 20;
constexpr PlacementPolicy kPolicies[] = {PlacementPolicy::LastRead,
                                         PlacementPolicy::LeastTraffic};

/// 1 MiB stays, and uploads have 4, 2 and 4 MiB. A step reads most of the
/// second.
PlacementProblem makeProblem() {
  PlacementProblem problem = {kMiB, 0, {4 * kMiB, 2 * kMiB, 4 * kMiB}};
  problem.stepBytes = {10, 30, 20};
  return problem;
}

PlacementProblem makeCounted() {
  PlacementProblem problem = makeProblem();
  problem.countsPageTables = true;
  return problem;
}

std::string refusal(const PlacementProblem &problem, int64_t budget,
                    PlacementPolicy policy = PlacementPolicy::LastRead) {
  llvm::Expected<Placement> placement = place(problem, policy, budget);
  return placement ? "placed" : llvm::toString(placement.takeError());
}

std::string verify(const PlacementProblem &problem,
                   const Placement &placement) {
  return llvm::toString(verifyPlacement(problem, placement));
}

//===----------------------------------------------------------------------===//
// The limit of the host
//===----------------------------------------------------------------------===//

TEST(HostLimit, AllowsAsManyBytes) {
  PlacementProblem problem = makeProblem();
  problem.hostLimitBytes = 4 * kMiB;
  EXPECT_EQ(llvm::toString(problem.check()), "");
  for (PlacementPolicy policy : kPolicies) {
    Placement placement = cantFail(place(problem, policy, 7 * kMiB));
    EXPECT_EQ(placement.hostBytes, 4 * kMiB);
    EXPECT_EQ(verify(problem, placement), "");
  }
}

TEST(HostLimit, RefusesWithBothValues) {
  PlacementProblem problem = makeProblem();
  problem.hostLimitBytes = 4 * kMiB - 1;
  for (PlacementPolicy policy : kPolicies)
    EXPECT_EQ(refusal(problem, 7 * kMiB, policy),
              "the placement needs 4194304 bytes of host memory, but the limit "
              "is 4194303 bytes");
  problem.hostLimitBytes = 0;
  EXPECT_EQ(refusal(problem, 11 * kMiB), "placed");
  EXPECT_EQ(
      refusal(problem, 11 * kMiB - 1),
      "the placement needs 4194304 bytes of host memory, but the limit is "
      "0 bytes");
  // The budget is checked first.
  EXPECT_EQ(refusal(problem, 1),
            "the program needs 1048576 bytes on the device at least, but the "
            "budget is 1 bytes");
}

TEST(HostLimit, IsNotNegative) {
  PlacementProblem problem = makeProblem();
  problem.hostLimitBytes = -1;
  EXPECT_EQ(llvm::toString(problem.check()),
            "the limit of the host is -1 bytes");
}

TEST(HostLimit, IsVerified) {
  PlacementProblem problem = makeProblem();
  Placement placement = cantFail(placeLastRead(problem, 7 * kMiB));
  problem.hostLimitBytes = 4 * kMiB - 1;
  EXPECT_EQ(verify(problem, placement),
            "host bytes 4194304 exceed the limit of 4194303");
}

TEST(HostLimit, ASweepHasEveryBudget) {
  PlacementProblem problem = makeProblem();
  problem.hostLimitBytes = 6 * kMiB;
  llvm::SmallVector<SweepPoint> points = computeSweep(problem, 11);
  ASSERT_EQ(points.size(), 11u);
  for (auto [index, point] : llvm::enumerate(points)) {
    EXPECT_EQ(point.lastRead.budgetBytes, int64_t(index + 1) * kMiB);
    EXPECT_EQ(problem.exceedsHostLimit(point.lastRead.hostBytes), index < 4);
  }
}

//===----------------------------------------------------------------------===//
// Page tables
//===----------------------------------------------------------------------===//

TEST(PageTables, AreNoneWhereNothingMoves) {
  for (PlacementPolicy policy : kPolicies) {
    Placement placement = cantFail(place(makeCounted(), policy, 11 * kMiB));
    EXPECT_TRUE(placement.getMovedUploads().empty());
    EXPECT_EQ(placement.pageTableBytes, 0);
    EXPECT_EQ(verify(makeCounted(), placement), "");
  }
}

TEST(PageTables, MoveMore) {
  // What one upload frees to the byte is not enough for its page tables.
  PlacementProblem problem = makeCounted();
  Placement without = cantFail(placeLastRead(makeProblem(), 7 * kMiB));
  EXPECT_EQ(without.getMovedUploads(), (llvm::SmallVector<int64_t>{0}));
  EXPECT_EQ(without.pageTableBytes, 0);
  Placement lastRead = cantFail(placeLastRead(problem, 7 * kMiB));
  EXPECT_EQ(lastRead.getMovedUploads(), (llvm::SmallVector<int64_t>{0, 1}));
  EXPECT_EQ(lastRead.deviceBytes, 5 * kMiB);
  EXPECT_EQ(lastRead.pageTableBytes, 4 * 4096);
  EXPECT_EQ(verify(problem, lastRead), "");
  Placement leastTraffic = cantFail(placeLeastTraffic(problem, 7 * kMiB));
  EXPECT_EQ(leastTraffic.getMovedUploads(), (llvm::SmallVector<int64_t>{0, 2}));
  EXPECT_EQ(leastTraffic.pageTableBytes, 5 * 4096);
  EXPECT_EQ(verify(problem, leastTraffic), "");
  EXPECT_EQ(computeTrafficBound(makeProblem(), 7 * kMiB), 10);
  EXPECT_EQ(computeTrafficBound(problem, 7 * kMiB), 20);
}

TEST(PageTables, RefuseABudgetThatNeedsMoreThanAllUploads) {
  PlacementProblem problem = makeCounted();
  int64_t least = problem.getLeastBudgetBytes();
  EXPECT_GT(least, kMiB + 6 * 4096);
  EXPECT_LE(least, kMiB + 6 * 4096 + 16384);
  for (PlacementPolicy policy : kPolicies) {
    Placement placement = cantFail(place(problem, policy, least));
    EXPECT_EQ(placement.getMovedUploads().size(), 3u);
    EXPECT_EQ(verify(problem, placement), "");
    EXPECT_EQ(refusal(problem, least - 1, policy),
              "the program needs " + std::to_string(least) +
                  " bytes on the device at least, with page tables, but the "
                  "budget is " +
                  std::to_string(least - 1) + " bytes");
  }
}

TEST(PageTables, OfSmallUploadsTakeMoreThanTheyFree) {
  PlacementProblem problem = {1, 2, {3, 4}, {3, 4}};
  problem.countsPageTables = true;
  EXPECT_EQ(problem.getLeastBudgetBytes(), 10);
  EXPECT_EQ(refusal(problem, 10), "placed");
  EXPECT_EQ(refusal(problem, 9),
            "the program needs 10 bytes on the device at least, with page "
            "tables, but the budget is 9 bytes");
}

TEST(PageTables, UpToInt64) {
  PlacementProblem problem = {0, 0, {kMost}, {kMost}};
  problem.countsPageTables = true;
  int64_t least = problem.getLeastBudgetBytes();
  EXPECT_GE(least, laneGetPageTableBytes(kMost));
  for (PlacementPolicy policy : kPolicies) {
    EXPECT_EQ(verify(problem, cantFail(place(problem, policy, least))), "");
    EXPECT_NE(refusal(problem, least - 1, policy), "placed");
    EXPECT_NE(refusal(problem, std::numeric_limits<int64_t>::min(), policy),
              "placed");
  }
}

TEST(PageTables, AreVerified) {
  PlacementProblem problem = makeCounted();
  auto spoil = [&](llvm::function_ref<void(Placement &)> change) {
    Placement placement = cantFail(placeLastRead(problem, 7 * kMiB));
    change(placement);
    return verify(problem, placement);
  };
  EXPECT_EQ(spoil([](Placement &) {}), "");
  EXPECT_EQ(spoil([](Placement &p) { p.pageTableBytes = 0; }),
            "page tables have 0 bytes, but those of 6291456 host bytes have "
            "16384");
  EXPECT_EQ(
      spoil([](Placement &p) { p.budgetBytes = 5 * kMiB + 16383; }),
      "device bytes 5242880 and page tables of 16384 exceed the budget of "
      "5259263");
  EXPECT_EQ(
      spoil([](Placement &p) { p.budgetBytes = 5 * kMiB + 16384; }),
      "6291456 bytes have moved, but the budget of 5259264 needs 6295609");
  EXPECT_EQ(spoil([](Placement &p) { p.budgetBytes = 8 * kMiB; }),
            "upload 1 of 2097152 bytes moved though the budget of 8388608 has "
            "room for it");
  // Where they do not count there are none.
  Placement placement = cantFail(placeLastRead(problem, 7 * kMiB - 1));
  EXPECT_EQ(
      verify(makeProblem(), placement),
      "page tables have 16384 bytes, but those of 6291456 host bytes have "
      "0");
}

//===----------------------------------------------------------------------===//
// Against all subsets
//===----------------------------------------------------------------------===//

/// Uploads that move: bits by rank, their bytes and what a step reads of them.
struct Subset {
  uint32_t ranks = 0;
  int64_t bytes = 0;
  int64_t traffic = 0;

  /// By traffic, then bytes, then which has the first rank that only one has.
  bool isBetterThan(const Subset &other) const {
    if (traffic != other.traffic)
      return traffic < other.traffic;
    if (bytes != other.bytes)
      return bytes < other.bytes;
    uint32_t different = ranks ^ other.ranks;
    return (ranks & different & -different) != 0;
  }
};

llvm::SmallVector<Subset> getSubsets(const PlacementProblem &problem) {
  size_t count = problem.uploadBytes.size();
  llvm::SmallVector<Subset> subsets(size_t(1) << count);
  for (uint32_t ranks = 1; ranks < subsets.size(); ++ranks) {
    int rank = __builtin_ctz(ranks);
    const Subset &rest = subsets[ranks & (ranks - 1)];
    subsets[ranks] = {ranks, rest.bytes + problem.uploadBytes[rank],
                      rest.traffic + problem.stepBytes[rank]};
  }
  return subsets;
}

/// The subset that the policy should find among those that move enough.
std::optional<Subset> findBest(const PlacementProblem &problem,
                               llvm::ArrayRef<Subset> subsets,
                               PlacementPolicy policy, int64_t budget) {
  int64_t missing = std::max(problem.getWholeBytes() - budget, int64_t(0));
  int64_t needed =
      problem.countsPageTables ? laneGetBytesToMove(missing) : missing;
  std::optional<Subset> best;
  for (const Subset &subset : subsets) {
    if (subset.bytes < needed)
      continue;
    if (policy == PlacementPolicy::LastRead) {
      // The first ones, as few as possible; they come with ascending bits.
      if ((subset.ranks & (subset.ranks + 1)) == 0 && !best)
        best = subset;
    } else if (!best || subset.isBetterThan(*best)) {
      best = subset;
    }
  }
  return best;
}

class RandomLimits : public ::testing::Test {
protected:
  int64_t draw(int64_t most) {
    return std::uniform_int_distribution<int64_t>(0, most)(engine);
  }
  /// Sizes around a page table's span, of a model, and close to what 64 bits
  /// hold.
  PlacementProblem drawProblem() {
    static constexpr int64_t kScales[] = {20000, 5 * kMiB, int64_t(1) << 34,
                                          kMost / 64};
    int64_t scale = kScales[draw(3)];
    PlacementProblem problem;
    problem.arenaBytes = draw(scale);
    problem.fixedBytes = draw(scale);
    int64_t count = draw(8);
    for (int64_t rank = 0; rank < count; ++rank) {
      problem.uploadBytes.push_back(1 + draw(scale));
      problem.stepBytes.push_back(draw(2) * problem.uploadBytes.back() / 2);
    }
    problem.countsPageTables = draw(2) != 0;
    if (draw(1))
      problem.hostLimitBytes = draw(scale) * draw(8);
    return problem;
  }
  /// Where the moved bytes of some subset are just enough, or anywhere.
  int64_t drawBudget(const PlacementProblem &problem,
                     llvm::ArrayRef<Subset> subsets) {
    int64_t whole = problem.getWholeBytes();
    if (draw(3) == 0)
      return draw(whole);
    int64_t bytes = subsets[draw(subsets.size() - 1)].bytes;
    int64_t freed = problem.countsPageTables ? laneGetFreedBytes(bytes) : bytes;
    return whole - freed + draw(2) - 1;
  }

  std::mt19937_64 engine{20260301};
};

TEST_F(RandomLimits, AgreeWithAllSubsets) {
  int numPlaced = 0, numRefused = 0, numOverLimit = 0;
  for (int round = 0; round < 20000; ++round) {
    PlacementProblem problem = drawProblem();
    ASSERT_EQ(llvm::toString(problem.check()), "");
    llvm::SmallVector<Subset> subsets = getSubsets(problem);
    int64_t budget = drawBudget(problem, subsets);
    for (PlacementPolicy policy : kPolicies) {
      SCOPED_TRACE("round " + std::to_string(round));
      std::optional<Subset> best = findBest(problem, subsets, policy, budget);
      llvm::Expected<Placement> placement = place(problem, policy, budget);
      if (!placement) {
        std::string message = llvm::toString(placement.takeError());
        bool isOverLimit = best && problem.exceedsHostLimit(best->bytes);
        ASSERT_TRUE(!best || isOverLimit) << message;
        ASSERT_EQ(isOverLimit,
                  llvm::StringRef(message).contains("host memory"));
        isOverLimit ? ++numOverLimit : ++numRefused;
        // No set of uploads had more than 16 KiB to spare.
        for (const Subset &subset : subsets) {
          if (!best) {
            ASSERT_LT(subset.bytes - problem.getPageTableBytes(subset.bytes),
                      problem.getWholeBytes() - budget + 16384);
          }
        }
        continue;
      }
      ++numPlaced;
      ASSERT_TRUE(best);
      ASSERT_EQ(verify(problem, *placement), "");
      uint32_t ranks = 0;
      for (int64_t rank : placement->getMovedUploads())
        ranks |= uint32_t(1) << rank;
      ASSERT_EQ(ranks, best->ranks);
      ASSERT_EQ(placement->hostBytes, best->bytes);
      ASSERT_EQ(placement->hostStepBytes, best->traffic);
      // From the definition, without the verifier.
      ASSERT_LE(placement->pageTableBytes, budget - placement->deviceBytes);
      ASSERT_EQ(placement->pageTableBytes,
                problem.countsPageTables
                    ? laneGetPageTableBytes(placement->hostBytes)
                    : 0);
    }
  }
  EXPECT_GT(numPlaced, 5000);
  EXPECT_GT(numRefused, 1000);
  EXPECT_GT(numOverLimit, 1000);
}

} // namespace
