//===- PlacementTest.cpp - How far down the order to go -------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Analysis/Placement.h"
#include "gtest/gtest.h"
#include <limits>
#include <optional>
#include <random>

using namespace lane;

namespace {

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

/// 300 bytes stay, and the uploads are of 10, 20 and 40.
PlacementProblem makeProblem() { return {100, 200, {10, 20, 40}}; }

std::string check(const PlacementProblem &problem) {
  return llvm::toString(problem.check());
}

std::string verify(const Placement &placement,
                   const PlacementProblem &problem = makeProblem()) {
  return llvm::toString(verifyPlacement(problem, placement));
}

void expectPlacement(const PlacementProblem &problem, int64_t budget,
                     int64_t moved, int64_t deviceBytes, int64_t hostBytes) {
  llvm::Expected<Placement> placement = placeInOrder(problem, budget);
  ASSERT_TRUE(bool(placement)) << llvm::toString(placement.takeError());
  EXPECT_EQ(placement->budgetBytes, budget);
  EXPECT_EQ(placement->moved, moved);
  EXPECT_EQ(placement->deviceBytes, deviceBytes);
  EXPECT_EQ(placement->hostBytes, hostBytes);
  EXPECT_EQ(verify(*placement, problem), "");
}

std::string refusal(const PlacementProblem &problem, int64_t budget) {
  llvm::Expected<Placement> placement = placeInOrder(problem, budget);
  return placement ? "placed" : llvm::toString(placement.takeError());
}

//===----------------------------------------------------------------------===//
// placeInOrder
//===----------------------------------------------------------------------===//

TEST(PlaceInOrder, ExactFitMovesNothing) {
  expectPlacement(makeProblem(), 370, 0, 370, 0);
  expectPlacement(makeProblem(), kMost, 0, 370, 0);
}

TEST(PlaceInOrder, OneByteLessMovesTheFirst) {
  expectPlacement(makeProblem(), 369, 1, 360, 10);
}

TEST(PlaceInOrder, BothSidesOfEveryBoundary) {
  expectPlacement(makeProblem(), 360, 1, 360, 10);
  expectPlacement(makeProblem(), 359, 2, 340, 30);
  expectPlacement(makeProblem(), 340, 2, 340, 30);
  expectPlacement(makeProblem(), 339, 3, 300, 70);
  expectPlacement(makeProblem(), 300, 3, 300, 70);
}

TEST(PlaceInOrder, RefusesWithBothFigures) {
  EXPECT_EQ(refusal(makeProblem(), 299),
            "the program needs 300 bytes on the device at least, but the "
            "budget is 299 bytes");
  EXPECT_EQ(refusal(makeProblem(), 0),
            "the program needs 300 bytes on the device at least, but the "
            "budget is 0 bytes");
  EXPECT_EQ(refusal(makeProblem(), std::numeric_limits<int64_t>::min()),
            "the program needs 300 bytes on the device at least, but the "
            "budget is -9223372036854775808 bytes");
}

TEST(PlaceInOrder, WithoutUploads) {
  expectPlacement({0, 0, {}}, 0, 0, 0, 0);
  expectPlacement({100, 0, {}}, 100, 0, 100, 0);
  EXPECT_EQ(refusal({0, 100, {}}, 99),
            "the program needs 100 bytes on the device at least, but the "
            "budget is 99 bytes");
}

TEST(PlaceInOrder, AnUploadWithoutBytesIsMovedOnTheWay) {
  expectPlacement({0, 0, {0, 5, 0}}, 5, 0, 5, 0);
  expectPlacement({0, 0, {0, 5, 0}}, 4, 2, 0, 5);
}

TEST(PlaceInOrder, UpTo2To63) {
  PlacementProblem problem = {kMost - 30, 10, {10, 10}};
  EXPECT_EQ(check(problem), "");
  EXPECT_EQ(problem.getWholeBytes(), kMost);
  expectPlacement(problem, kMost, 0, kMost, 0);
  expectPlacement(problem, kMost - 1, 1, kMost - 10, 10);
  expectPlacement(problem, kMost - 20, 2, kMost - 20, 20);
  EXPECT_EQ(refusal(problem, kMost - 21),
            "the program needs 9223372036854775787 bytes on the device at "
            "least, but the budget is 9223372036854775786 bytes");
  expectPlacement({0, 0, {kMost}}, 0, 1, 0, kMost);
}

//===----------------------------------------------------------------------===//
// Problems
//===----------------------------------------------------------------------===//

TEST(PlacementProblem, CountsAllBytes) {
  EXPECT_EQ(makeProblem().getPinnedBytes(), 300);
  EXPECT_EQ(makeProblem().getWholeBytes(), 370);
  EXPECT_EQ(check(makeProblem()), "");
  EXPECT_EQ(check({}), "");
}

TEST(PlacementProblem, NoFigureIsNegative) {
  EXPECT_EQ(check({-1, 0, {}}), "the arena has -1 bytes");
  EXPECT_EQ(check({0, -2, {}}), "the fixed part has -2 bytes");
  EXPECT_EQ(check({0, 0, {1, -3}}), "upload 1 has -3 bytes");
  EXPECT_EQ(check({std::numeric_limits<int64_t>::min(), 0, {}}),
            "the arena has -9223372036854775808 bytes");
}

TEST(PlacementProblem, TheSumIsBelow2To63) {
  EXPECT_EQ(check({kMost, 0, {}}), "");
  EXPECT_EQ(check({kMost, 1, {}}), "the bytes pass 2^63 at the fixed part");
  EXPECT_EQ(check({kMost - 1, 1, {0, 1}}), "the bytes pass 2^63 at upload 1");
  EXPECT_EQ(check({0, 0, {kMost, kMost}}), "the bytes pass 2^63 at upload 1");
}

//===----------------------------------------------------------------------===//
// verifyPlacement
//===----------------------------------------------------------------------===//

TEST(VerifyPlacement, TakesOnlyTheUploadsThereAre) {
  EXPECT_EQ(verify({370, -1, 370, 0}), "-1 of 3 uploads moved");
  EXPECT_EQ(verify({370, 4, 300, 70}), "4 of 3 uploads moved");
}

TEST(VerifyPlacement, HostBytesAreThoseOfTheUploadsMoved) {
  EXPECT_EQ(verify({360, 1, 360, 20}),
            "host bytes are 20, but the uploads moved have 10");
  EXPECT_EQ(verify({360, 1, 360, 0}),
            "host bytes are 0, but the uploads moved have 10");
  EXPECT_EQ(verify({370, 0, 370, 1}),
            "host bytes are 1, but the uploads moved have 0");
}

TEST(VerifyPlacement, DeviceBytesAreThoseOfWhatStays) {
  EXPECT_EQ(verify({360, 1, 350, 10}),
            "device bytes are 350, but what stays has 360");
  EXPECT_EQ(verify({370, 0, 0, 0}),
            "device bytes are 0, but what stays has 370");
}

TEST(VerifyPlacement, TheDeviceKeepsToTheBudget) {
  EXPECT_EQ(verify({369, 0, 370, 0}),
            "device bytes 370 exceed the budget of 369");
  EXPECT_EQ(verify({299, 3, 300, 70}),
            "device bytes 300 exceed the budget of 299");
}

TEST(VerifyPlacement, NothingMovesForWhichThereIsRoom) {
  EXPECT_EQ(verify({370, 1, 360, 10}), "upload 0 of 10 bytes moved though the "
                                       "budget of 370 has room for it");
  EXPECT_EQ(verify({359, 3, 300, 70}), "upload 2 of 40 bytes moved though the "
                                       "budget of 359 has room for it");
  EXPECT_EQ(verify({kMost, 1, kMost - 10, 10}, {kMost - 10, 0, {10}}),
            "upload 0 of 10 bytes moved though the budget of "
            "9223372036854775807 has room for it");
}

//===----------------------------------------------------------------------===//
// Against a reference
//===----------------------------------------------------------------------===//

/// Tries every number of uploads on the host, the fewest first.
std::optional<int64_t> countMoved(const PlacementProblem &problem,
                                  int64_t budget) {
  for (size_t moved = 0; moved <= problem.uploadBytes.size(); ++moved) {
    int64_t deviceBytes = problem.arenaBytes + problem.fixedBytes;
    for (size_t stays = moved; stays < problem.uploadBytes.size(); ++stays)
      deviceBytes += problem.uploadBytes[stays];
    if (deviceBytes <= budget)
      return moved;
  }
  return std::nullopt;
}

class RandomPlacement : public ::testing::Test {
protected:
  int64_t draw(int64_t most) {
    return std::uniform_int_distribution<int64_t>(0, most)(engine);
  }
  /// Small figures meet boundaries often; large ones are like a model's, or
  /// close to what 64 bits hold.
  PlacementProblem drawProblem() {
    static constexpr int64_t kScales[] = {3, 1000, int64_t(1) << 34,
                                          kMost / 64};
    int64_t scale = kScales[draw(3)];
    PlacementProblem problem;
    problem.arenaBytes = draw(scale);
    problem.fixedBytes = draw(scale);
    problem.uploadBytes.resize(draw(12));
    for (int64_t &bytes : problem.uploadBytes)
      bytes = draw(scale);
    return problem;
  }
  /// At a boundary, beside it, or anywhere.
  int64_t drawBudget(const PlacementProblem &problem) {
    if (draw(3) == 0)
      return draw(problem.getWholeBytes() + 1);
    int64_t budget = problem.getPinnedBytes();
    for (int64_t bytes : problem.uploadBytes)
      budget += draw(1) * bytes;
    return budget + draw(2) - 1;
  }

  std::mt19937_64 engine{20240229};
};

TEST_F(RandomPlacement, AgreesWithTheReference) {
  for (int round = 0; round < 20000; ++round) {
    PlacementProblem problem = drawProblem();
    ASSERT_EQ(check(problem), "");
    int64_t budget = drawBudget(problem);
    std::optional<int64_t> expected = countMoved(problem, budget);
    llvm::Expected<Placement> placement = placeInOrder(problem, budget);
    if (!placement) {
      llvm::consumeError(placement.takeError());
      ASSERT_FALSE(expected) << "round " << round;
      continue;
    }
    ASSERT_EQ(placement->moved, expected) << "round " << round;
    ASSERT_EQ(placement->deviceBytes + placement->hostBytes,
              problem.getWholeBytes());
    ASSERT_EQ(verify(*placement, problem), "") << "round " << round;
  }
}

TEST_F(RandomPlacement, AnyOtherPlacementIsRejected) {
  for (int round = 0; round < 5000; ++round) {
    PlacementProblem problem = drawProblem();
    llvm::Expected<Placement> placement =
        placeInOrder(problem, drawBudget(problem));
    if (!placement) {
      llvm::consumeError(placement.takeError());
      continue;
    }
    for (int64_t Placement::*figure :
         {&Placement::moved, &Placement::deviceBytes, &Placement::hostBytes})
      for (int64_t change : {-1, 1}) {
        Placement other = *placement;
        other.*figure += change;
        // An upload without bytes may be on either side.
        size_t touched = placement->moved + (change < 0 ? -1 : 0);
        if (figure == &Placement::moved &&
            touched < problem.uploadBytes.size() &&
            problem.uploadBytes[touched] == 0)
          continue;
        ASSERT_NE(verify(other, problem), "") << "round " << round;
      }
  }
}

} // namespace
