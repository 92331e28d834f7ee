//===- PlacementTest.cpp - Placements, their verifier, and last_read ------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Analysis/Placement.h"
#include "lane/Dialect/Lane/IR/LaneDialect.h"
#include "llvm/ADT/Sequence.h"
#include "gtest/gtest.h"
#include <limits>
#include <optional>
#include <random>

using namespace lane;

namespace {

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

/// A problem with 300 resident bytes and uploads of 10, 20 and 40 bytes.
PlacementProblem makeProblem() { return {100, 200, {10, 20, 40}}; }

std::string check(const PlacementProblem &problem) {
  return llvm::toString(problem.check());
}

std::string verify(const Placement &placement,
                   const PlacementProblem &problem = makeProblem()) {
  return llvm::toString(verifyPlacement(problem, placement));
}

llvm::SmallVector<int64_t> getFirst(int64_t count) {
  return llvm::to_vector(llvm::seq<int64_t>(0, count));
}

void expectPlacement(const PlacementProblem &problem, int64_t budget,
                     int64_t moved, int64_t deviceBytes, int64_t hostBytes) {
  llvm::Expected<Placement> placement = placeLastRead(problem, budget);
  ASSERT_TRUE(bool(placement)) << llvm::toString(placement.takeError());
  EXPECT_EQ(placement->budgetBytes, budget);
  EXPECT_EQ(placement->getMovedUploads(), getFirst(moved));
  EXPECT_EQ(placement->deviceBytes, deviceBytes);
  EXPECT_EQ(placement->hostBytes, hostBytes);
  EXPECT_EQ(verify(*placement, problem), "");
}

std::string refusal(const PlacementProblem &problem, int64_t budget) {
  llvm::Expected<Placement> placement = placeLastRead(problem, budget);
  return placement ? "placed" : llvm::toString(placement.takeError());
}

//===----------------------------------------------------------------------===//
// placeLastRead
//===----------------------------------------------------------------------===//

TEST(PlaceLastRead, ExactFitMovesNothing) {
  expectPlacement(makeProblem(), 370, 0, 370, 0);
  expectPlacement(makeProblem(), kMost, 0, 370, 0);
}

TEST(PlaceLastRead, OneByteLessMovesTheFirst) {
  expectPlacement(makeProblem(), 369, 1, 360, 10);
}

TEST(PlaceLastRead, AroundEveryBoundary) {
  expectPlacement(makeProblem(), 360, 1, 360, 10);
  expectPlacement(makeProblem(), 359, 2, 340, 30);
  expectPlacement(makeProblem(), 340, 2, 340, 30);
  expectPlacement(makeProblem(), 339, 3, 300, 70);
  expectPlacement(makeProblem(), 300, 3, 300, 70);
}

TEST(PlaceLastRead, RefusesWithBothValues) {
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

TEST(PlaceLastRead, WithoutUploads) {
  expectPlacement({0, 0, {}}, 0, 0, 0, 0);
  expectPlacement({100, 0, {}}, 100, 0, 100, 0);
  EXPECT_EQ(refusal({0, 100, {}}, 99),
            "the program needs 100 bytes on the device at least, but the "
            "budget is 99 bytes");
}

TEST(PlaceLastRead, AnUploadWithoutBytesIsMovedOnTheWay) {
  expectPlacement({0, 0, {0, 5, 0}}, 5, 0, 5, 0);
  expectPlacement({0, 0, {0, 5, 0}}, 4, 2, 0, 5);
}

TEST(PlaceLastRead, UpToInt64) {
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
  EXPECT_EQ(makeProblem().getResidentBytes(), 300);
  EXPECT_EQ(makeProblem().getWholeBytes(), 370);
  EXPECT_EQ(check(makeProblem()), "");
  EXPECT_EQ(check({}), "");
}

TEST(PlacementProblem, NothingIsNegative) {
  EXPECT_EQ(check({-1, 0, {}}), "the arena has -1 bytes");
  EXPECT_EQ(check({0, -2, {}}), "the fixed part has -2 bytes");
  EXPECT_EQ(check({0, 0, {1, -3}}), "upload 1 has -3 bytes");
  EXPECT_EQ(check({std::numeric_limits<int64_t>::min(), 0, {}}),
            "the arena has -9223372036854775808 bytes");
}

TEST(PlacementProblem, TheSumIsWithinInt64) {
  EXPECT_EQ(check({kMost, 0, {}}), "");
  EXPECT_EQ(check({kMost, 1, {}}),
            "the bytes overflow int64 at the fixed part");
  EXPECT_EQ(check({kMost - 1, 1, {0, 1}}),
            "the bytes overflow int64 at upload 1");
  EXPECT_EQ(check({0, 0, {kMost, kMost}}),
            "the bytes overflow int64 at upload 1");
}

//===----------------------------------------------------------------------===//
// verifyPlacement
//===----------------------------------------------------------------------===//

/// A placement by last_read with the first `moved` uploads of makeProblem on
/// the host.
Placement makeLastRead(int64_t budget, int64_t moved) {
  return makePlacement(makeProblem(), PlacementPolicy::LastRead, budget,
                       getFirst(moved));
}

/// A placement by least_traffic of uploads of 10, 20 and 40 bytes. The last one
/// is split: it has an extent in each space.
Placement makeSplit() {
  MemorySpace device = MemorySpace::getDevice(), host = MemorySpace::getHost();
  Placement placement;
  placement.policy = PlacementPolicy::LeastTraffic;
  placement.budgetBytes = placement.deviceBytes = 335;
  placement.hostBytes = 35;
  placement.extents = {{0, host, 0, 10},
                       {1, device, 0, 20},
                       {2, device, 0, 15},
                       {2, host, 15, 25}};
  return placement;
}

std::string
verifySpoiled(Placement placement,
              llvm::function_ref<void(llvm::SmallVectorImpl<Extent> &)> spoil) {
  spoil(placement.extents);
  return verify(placement);
}

TEST(VerifyPlacement, UploadsMayBeSplit) {
  EXPECT_EQ(verify(makeSplit()), "");
  EXPECT_EQ(makeSplit().getMovedUploads(), (llvm::SmallVector<int64_t>{0, 2}));
}

TEST(VerifyPlacement, ASplitUploadHasItsShareOfTheTraffic) {
  PlacementProblem problem = {100, 200, {10, 20, 40}, {7, 0, 9}};
  Placement placement = makeSplit();
  // All step bytes of the first upload, and 9 * 25 / 40 of the last, rounded
  // up.
  placement.hostStepBytes = 7 + 6;
  EXPECT_EQ(verify(placement, problem), "");
  placement.hostStepBytes = 7 + 5;
  EXPECT_EQ(verify(placement, problem),
            "a step reads 12 bytes from the host, but of the uploads moved it "
            "reads 13");
}

TEST(VerifyPlacement, ExtentsCoverEachUploadOnce) {
  using Extents = llvm::SmallVectorImpl<Extent>;
  EXPECT_EQ(verifySpoiled(makeSplit(), [](Extents &e) { e.clear(); }),
            "extents cover 0 of the 10 bytes of upload 0");
  EXPECT_EQ(verifySpoiled(makeSplit(), [](Extents &e) { e.pop_back(); }),
            "extents cover 15 of the 40 bytes of upload 2");
  EXPECT_EQ(verifySpoiled(makeSplit(), [](Extents &e) { e.erase(&e[1]); }),
            "extents cover 0 of the 20 bytes of upload 1");
  EXPECT_EQ(
      verifySpoiled(makeSplit(), [](Extents &e) { std::swap(e[0], e[1]); }),
      "extents cover 0 of the 10 bytes of upload 0");
  EXPECT_EQ(
      verifySpoiled(makeSplit(), [](Extents &e) { std::swap(e[2], e[3]); }),
      "an extent of upload 2 starts at byte 15 instead of 0");
  EXPECT_EQ(
      verifySpoiled(makeSplit(), [](Extents &e) { e[3].offsetBytes = 14; }),
      "an extent of upload 2 starts at byte 14 instead of 15");
  EXPECT_EQ(verifySpoiled(makeSplit(), [](Extents &e) { e[3].bytes = 26; }),
            "an extent of upload 2 has 26 bytes at byte 15 of 40");
  EXPECT_EQ(verifySpoiled(makeSplit(), [](Extents &e) { e[2].bytes = 0; }),
            "an extent of upload 2 has 0 bytes at byte 0 of 40");
  EXPECT_EQ(
      verifySpoiled(makeSplit(), [](Extents &e) { e.push_back(e.back()); }),
      "an extent of upload 2 follows those of 3 uploads");
}

TEST(VerifyPlacement, ExtentsAreInSpacesOfTheProblem) {
  EXPECT_EQ(verifySpoiled(makeSplit(),
                          [](llvm::SmallVectorImpl<Extent> &extents) {
                            extents[1].space = MemorySpace::getDevice(1);
                          }),
            "an extent of upload 1 is in device 1, which the problem does not "
            "have");
}

TEST(VerifyPlacement, TheBytesOfASpaceAreThoseOfItsExtents) {
  Placement placement = makeLastRead(360, 1);
  placement.hostBytes = 20;
  EXPECT_EQ(verify(placement),
            "host bytes are 20, but the uploads moved have 10");
  placement = makeLastRead(360, 1);
  placement.deviceBytes = 350;
  EXPECT_EQ(verify(placement), "device bytes are 350, but what stays has 360");
}

TEST(VerifyPlacement, TheDeviceKeepsToTheBudget) {
  EXPECT_EQ(verify(makeLastRead(369, 0)),
            "device bytes 370 exceed the budget of 369");
  EXPECT_EQ(verify(makeLastRead(299, 3)),
            "device bytes 300 exceed the budget of 299");
}

TEST(VerifyPlacement, LastReadMovesNothingForWhichThereIsRoom) {
  EXPECT_EQ(verify(makeLastRead(370, 1)),
            "upload 0 of 10 bytes moved though the budget of 370 has room for "
            "it");
  EXPECT_EQ(verify(makeLastRead(359, 3)),
            "upload 2 of 40 bytes moved though the budget of 359 has room for "
            "it");
  PlacementProblem large = {kMost - 10, 0, {10}};
  EXPECT_EQ(verify(makePlacement(large, PlacementPolicy::LastRead, kMost, {0}),
                   large),
            "upload 0 of 10 bytes moved though the budget of "
            "9223372036854775807 has room for it");
}

TEST(VerifyPlacement, LastReadMovesWholeUploadsInOrder) {
  EXPECT_EQ(
      verify(makePlacement(makeProblem(), PlacementPolicy::LastRead, 350, {1})),
      "upload 1 moved before upload 0");
  Placement placement = makeLastRead(360, 1);
  placement.extents[0].bytes = 5;
  placement.extents.insert(&placement.extents[1],
                           {0, MemorySpace::getHost(), 5, 5});
  EXPECT_EQ(verify(placement), "the policy last_read moves whole uploads");
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
  /// Small values often reach boundaries. Large ones are like those of models,
  /// or near the maximum of int64.
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
  /// At a boundary, one byte from it, or anywhere.
  int64_t drawBudget(const PlacementProblem &problem) {
    if (draw(3) == 0)
      return draw(problem.getWholeBytes() + 1);
    int64_t budget = problem.getResidentBytes();
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
    llvm::Expected<Placement> placement = placeLastRead(problem, budget);
    if (!placement) {
      llvm::consumeError(placement.takeError());
      ASSERT_FALSE(expected) << "round " << round;
      continue;
    }
    ASSERT_TRUE(expected) << "round " << round;
    ASSERT_EQ(placement->getMovedUploads(), getFirst(*expected))
        << "round " << round;
    ASSERT_EQ(placement->deviceBytes + placement->hostBytes,
              problem.getWholeBytes());
    ASSERT_EQ(verify(*placement, problem), "") << "round " << round;
  }
}

TEST_F(RandomPlacement, AnyOtherPlacementIsRejected) {
  for (int round = 0; round < 5000; ++round) {
    PlacementProblem problem = drawProblem();
    int64_t budget = drawBudget(problem);
    llvm::Expected<Placement> placement = placeLastRead(problem, budget);
    if (!placement) {
      llvm::consumeError(placement.takeError());
      continue;
    }
    for (int64_t Placement::*bytes :
         {&Placement::deviceBytes, &Placement::hostBytes})
      for (int64_t change : {-1, 1}) {
        Placement other = *placement;
        other.*bytes += change;
        ASSERT_NE(verify(other, problem), "") << "round " << round;
      }
    int64_t moved = placement->getMovedUploads().size();
    for (int64_t other : {moved - 1, moved + 1}) {
      if (other < 0 || other > int64_t(problem.uploadBytes.size()))
        continue;
      ASSERT_NE(verify(makePlacement(problem, PlacementPolicy::LastRead, budget,
                                     getFirst(other)),
                       problem),
                "")
          << "round " << round;
    }
  }
}

} // namespace
