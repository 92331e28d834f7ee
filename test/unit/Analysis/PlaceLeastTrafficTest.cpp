//===- PlaceLeastTrafficTest.cpp - The policy least_traffic ---------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Analysis/Placement.h"
#include "lane/Dialect/Lane/IR/LaneDialect.h"
#include "gtest/gtest.h"
#include <limits>
#include <random>

using namespace lane;

namespace {

/// A set of uploads as bits by rank, starting from the lowest.
struct Subset {
  int64_t bytes = 0;
  int64_t traffic = std::numeric_limits<int64_t>::max();
  uint32_t ranks = 0;

  /// Compares traffic, then bytes, then the first rank that only one set has.
  bool isBetterThan(const Subset &other) const {
    if (traffic != other.traffic)
      return traffic < other.traffic;
    if (bytes != other.bytes)
      return bytes < other.bytes;
    uint32_t different = ranks ^ other.ranks;
    return (ranks & different & -different) != 0;
  }
};

/// `best[n]` is the best subset with at least n bytes.
std::vector<Subset> searchAll(const PlacementProblem &problem) {
  size_t count = problem.stepBytes.size();
  int64_t whole = problem.getWholeBytes();
  std::vector<Subset> best(whole + 1), sums(size_t(1) << count);
  sums[0].traffic = 0;
  for (uint32_t ranks = 0; ranks < sums.size(); ++ranks) {
    Subset &sum = sums[ranks];
    if (ranks != 0) {
      int rank = __builtin_ctz(ranks);
      const Subset &rest = sums[ranks & (ranks - 1)];
      sum = {rest.bytes + problem.uploadBytes[rank],
             rest.traffic + problem.stepBytes[rank], ranks};
    }
    if (sum.isBetterThan(best[sum.bytes]))
      best[sum.bytes] = sum;
  }
  for (int64_t bytes = whole - 1; bytes >= 0; --bytes)
    if (best[bytes + 1].isBetterThan(best[bytes]))
      best[bytes] = best[bytes + 1];
  return best;
}

PlacementProblem makeRandom(std::mt19937_64 &random) {
  auto draw = [&](int64_t least, int64_t most) {
    return std::uniform_int_distribution<int64_t>(least, most)(random);
  };
  PlacementProblem problem;
  // Few kinds, as models have, and many; some that nothing reads.
  int64_t count = draw(1, 18), numKinds = draw(1, count);
  std::vector<std::pair<int64_t, int64_t>> kinds;
  for (int64_t kind = 0; kind < numKinds; ++kind) {
    int64_t bytes = draw(1, 20);
    // Dense, expert, gathered or unread.
    int64_t traffic[] = {bytes, bytes / 4, draw(0, 2), 0, draw(0, 40)};
    kinds.push_back({bytes, traffic[draw(0, 4)]});
  }
  for (int64_t upload = 0; upload < count; ++upload) {
    auto [bytes, traffic] = kinds[draw(0, numKinds - 1)];
    problem.uploadBytes.push_back(bytes);
    problem.stepBytes.push_back(traffic);
  }
  return problem;
}

uint32_t getBits(const Placement &placement) {
  uint32_t bits = 0;
  for (int64_t rank : placement.getMovedUploads())
    bits |= uint32_t(1) << rank;
  return bits;
}

Placement place(const PlacementProblem &problem, int64_t budget,
                int64_t workLimit = kTrafficWorkLimit) {
  return cantFail(placeLeastTraffic(problem, budget, workLimit));
}

TEST(PlaceLeastTraffic, EqualsExhaustiveSearch) {
  std::mt19937_64 random(5);
  for (int trial = 0; trial < 2000; ++trial) {
    PlacementProblem problem = makeRandom(random);
    ASSERT_EQ(llvm::toString(problem.check()), "");
    std::vector<Subset> best = searchAll(problem);
    int64_t whole = problem.getWholeBytes();
    for (int64_t budget = 0; budget <= whole; ++budget) {
      Placement placement = place(problem, budget);
      const Subset &wanted = best[whole - budget];
      ASSERT_EQ(llvm::toString(verifyPlacement(problem, placement)), "");
      ASSERT_TRUE(placement.isProvenOptimal);
      ASSERT_EQ(placement.hostStepBytes, wanted.traffic)
          << "trial " << trial << ", budget " << budget;
      ASSERT_EQ(placement.hostBytes, wanted.bytes)
          << "trial " << trial << ", budget " << budget;
      ASSERT_EQ(getBits(placement), wanted.ranks)
          << "trial " << trial << ", budget " << budget;
      Placement inOrder = cantFail(placeLastRead(problem, budget));
      ASSERT_EQ(llvm::toString(verifyPlacement(problem, inOrder)), "");
      ASSERT_GE(inOrder.hostStepBytes, placement.hostStepBytes);
      ASSERT_EQ(inOrder.boundHostStepBytes, placement.boundHostStepBytes);
    }
  }
}

TEST(PlaceLeastTraffic, PastTheLimitIsNeverWorseThanTheOrder) {
  std::mt19937_64 random(6);
  int inexact = 0;
  for (int trial = 0; trial < 300; ++trial) {
    PlacementProblem problem = makeRandom(random);
    int64_t whole = problem.getWholeBytes();
    for (int64_t budget = 0; budget < whole; ++budget) {
      Placement placement = place(problem, budget, /*workLimit=*/2);
      ASSERT_EQ(llvm::toString(verifyPlacement(problem, placement)), "");
      ASSERT_LE(placement.hostStepBytes,
                cantFail(placeLastRead(problem, budget)).hostStepBytes);
      inexact += !placement.isProvenOptimal;
    }
  }
  EXPECT_GT(inexact, 0);
}

TEST(PlaceLeastTraffic, LeavesTheLargeHeadWhereASmallOneDoes) {
  // A head of 1 GB comes first in the order; 50 MB are missing.
  PlacementProblem problem = {100, 200, {1000, 30, 30, 30}, {1000, 30, 30, 30}};
  Placement placement = place(problem, 300 + 1090 - 50);
  EXPECT_EQ(placement.getMovedUploads(), (llvm::SmallVector<int64_t>{1, 2}));
  EXPECT_EQ(placement.hostStepBytes, 60);
  EXPECT_EQ(placement.boundHostStepBytes, 50);
  EXPECT_TRUE(placement.isProvenOptimal);
}

TEST(PlaceLeastTraffic, MovesNothingWhereAllFits) {
  PlacementProblem problem = {1, 2, {3, 4}, {3, 4}};
  EXPECT_TRUE(place(problem, 10).getMovedUploads().empty());
  EXPECT_EQ(place(problem, 10).deviceBytes, 10);
  EXPECT_EQ(place(problem, 9).getMovedUploads(),
            (llvm::SmallVector<int64_t>{0}));
}

TEST(PlaceLeastTraffic, RefusesWhatCannotLeave) {
  PlacementProblem problem = {1, 2, {3}, {3}};
  EXPECT_EQ(llvm::toString(placeLeastTraffic(problem, 2).takeError()),
            "the program needs 3 bytes on the device at least, but the budget "
            "is 2 bytes");
}

TEST(PlaceLeastTraffic, ChecksItsProblem) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  PlacementProblem problem = {1, 2, {3, 4}, {3}};
  EXPECT_EQ(llvm::toString(problem.check()),
            "2 uploads have the step bytes of 1");
  problem.stepBytes = {3, -1};
  EXPECT_EQ(llvm::toString(problem.check()),
            "a step reads -1 bytes of upload 1");
  problem.stepBytes = {kMost, 1};
  EXPECT_EQ(llvm::toString(problem.check()),
            "the step bytes overflow int64 at upload 1");
}

TEST(PlaceLeastTraffic, TakesSizesUpToInt64) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  PlacementProblem problem = {
      0, 0, {kMost / 2, kMost / 2}, {kMost / 2, kMost / 2}};
  Placement placement = place(problem, kMost / 2);
  EXPECT_EQ(placement.getMovedUploads(), (llvm::SmallVector<int64_t>{0}));
  EXPECT_EQ(placement.boundHostStepBytes, kMost / 2);
}

TEST(PlaceLeastTraffic, VerifierFindsEachFault) {
  PlacementProblem problem = {1, 2, {3, 4}, {3, 4}};
  auto verify = [&](llvm::function_ref<void(Placement &)> spoil) {
    Placement placement = place(problem, 5);
    spoil(placement);
    return llvm::toString(verifyPlacement(problem, placement));
  };
  EXPECT_EQ(verify([](Placement &) {}), "");
  EXPECT_NE(verify([](Placement &p) { p.hostBytes += 1; }), "");
  EXPECT_NE(verify([](Placement &p) { p.hostStepBytes += 1; }), "");
  EXPECT_NE(verify([](Placement &p) { p.deviceBytes += 1; }), "");
  EXPECT_NE(verify([](Placement &p) { p.budgetBytes = 2; }), "");
  EXPECT_NE(verify([](Placement &p) { p.boundHostStepBytes = 99; }), "");
}

} // namespace
