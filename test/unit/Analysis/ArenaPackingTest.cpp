//===- ArenaPackingTest.cpp - Offsets in an arena -------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Analysis/ArenaPacking.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "gtest/gtest.h"
#include <cstdio>
#include <random>

using namespace lane;

namespace {

/// Problems like the forms of a transformer, for decoding (one row) and for
/// prefill (many).
struct Shape {
  int64_t layers, rows, hidden, heads, kvHeads, headSize, feedForward;
  int64_t vocabulary, experts;
  bool quantized;
  bool headNorms = false;
  bool scratch = true;
};

class ChainBuilder {
public:
  explicit ChainBuilder(const Shape &shape) : shape(shape) {}
  ArenaProblem run();

private:
  /// An activation of `columns`, written at one launch and last read at
  /// another; its quantized form has the same life.
  void add(int64_t columns, int64_t first, int64_t last,
           bool mayQuantize = false) {
    int64_t length = shape.rows * columns;
    problem.items.push_back({4 * length, first, last});
    if (mayQuantize && shape.quantized)
      problem.items.push_back(
          {*alignToPool(length) + *alignToPool(length / 32 * 4), first, last});
  }
  void addScratch(int64_t bytes) {
    if (shape.scratch)
      problem.items.push_back({bytes, launch, launch});
  }
  void addLayer();

  const Shape &shape;
  ArenaProblem problem;
  int64_t launch = 0;
  int64_t residualStart = 0;
};

} // namespace

/// Norm, three projections, the heads' norms, two rotations, two copies into
/// the cache, attention, its output, the sum; norm, then two projections, their
/// product and the last, or experts; the sum.
void ChainBuilder::addLayer() {
  int64_t t = launch;
  int64_t queries = shape.heads * shape.headSize;
  int64_t keys = shape.kvHeads * shape.headSize;
  int64_t rotation = t + (shape.headNorms ? 6 : 4);
  add(shape.hidden, t, t + 3, /*mayQuantize=*/true); // norm
  add(queries, t + 1, t + 4);                        // q
  add(keys, t + 2, t + 5);                           // k
  if (shape.headNorms) {
    add(queries, t + 4, rotation);  // normed q
    add(keys, t + 5, rotation + 1); // normed k
  }
  add(keys, t + 3, rotation + 3);        // v, which the second copy reads
  add(queries, rotation, rotation + 4);  // rotated q
  add(keys, rotation + 1, rotation + 2); // rotated k
  t = launch = rotation + 4;
  addScratch(shape.rows * shape.heads * 16 * (shape.headSize + 2) * 4);
  add(queries, t, t + 1, /*mayQuantize=*/true); // attention
  add(shape.hidden, t + 1, t + 2);              // output projection
  // The residual lives from the sum before to this one.
  add(shape.hidden, residualStart, t + 2);
  residualStart = t + 2;
  add(shape.hidden, t + 3, t + 5, /*mayQuantize=*/true); // norm
  if (shape.experts != 0) {
    add(shape.experts, t + 4, t + 5); // router
    launch = t + 5;
    addScratch(shape.rows * 8 * shape.feedForward * 4);
    addScratch(shape.rows * 8 * 8);
    add(shape.hidden, t + 5, t + 6); // experts
    launch = t + 6;
  } else {
    add(shape.feedForward, t + 4, t + 6);                       // gate
    add(shape.feedForward, t + 5, t + 6);                       // up
    add(shape.feedForward, t + 6, t + 7, /*mayQuantize=*/true); // product
    add(shape.hidden, t + 7, t + 8);                            // down
    launch = t + 8;
  }
  add(shape.hidden, residualStart, launch);
  residualStart = launch++;
}

ArenaProblem ChainBuilder::run() {
  launch = 1;
  for (int64_t layer = 0; layer < shape.layers; ++layer)
    addLayer();
  add(shape.hidden, residualStart, launch);
  add(shape.hidden, launch, launch + 1, /*mayQuantize=*/true);
  // The host reads the logits: of one row, whatever the form's rows.
  problem.items.push_back({4 * shape.vocabulary, launch + 1, launch + 2});
  problem.items.push_back({4, launch + 2, launch + 2});
  return problem;
}

/// What is wrong with a solution, by looking at every pair; empty if nothing.
static std::string findFault(const ArenaProblem &problem,
                             const ArenaSolution &solution) {
  for (size_t i = 0; i < problem.items.size(); ++i) {
    const ArenaItem &left = problem.items[i];
    int64_t leftOffset = solution.offsets[i];
    if (leftOffset < 0 || leftOffset % problem.alignmentBytes != 0 ||
        leftOffset + left.bytes > solution.arenaBytes)
      return "offset " + std::to_string(i);
    for (size_t j = 0; j < i; ++j) {
      const ArenaItem &right = problem.items[j];
      int64_t rightOffset = solution.offsets[j];
      bool together = left.firstLaunch <= right.lastLaunch &&
                      right.firstLaunch <= left.lastLaunch;
      bool overlap = left.bytes != 0 && right.bytes != 0 &&
                     leftOffset < rightOffset + right.bytes &&
                     rightOffset < leftOffset + left.bytes;
      if (together && overlap)
        return "items " + std::to_string(j) + " and " + std::to_string(i);
    }
  }
  return "";
}

/// Packs, judges the solution both ways and returns the ratio of its bytes to
/// the lower bound.
static double packAndCheck(const ArenaProblem &problem) {
  EXPECT_EQ(llvm::toString(problem.check()), "");
  ArenaSolution solution = packArena(problem);
  EXPECT_EQ(llvm::toString(verifyArena(problem, solution)), "");
  EXPECT_EQ(findFault(problem, solution), "");
  int64_t bound = problem.getLowerBoundBytes();
  EXPECT_GE(solution.arenaBytes, bound);
  if (bound == 0)
    return 1;
  return static_cast<double>(solution.arenaBytes) / static_cast<double>(bound);
}

static ArenaProblem makeRandom(std::mt19937 &random, int64_t numItems,
                               int64_t numLaunches, int64_t longestLife) {
  auto draw = [&](int64_t bound) {
    return static_cast<int64_t>(random() % static_cast<uint64_t>(bound));
  };
  ArenaProblem problem;
  for (int64_t index = 0; index < numItems; ++index) {
    int64_t first = draw(numLaunches);
    int64_t last = std::min(numLaunches - 1, first + draw(longestLife));
    // Some without bytes, and otherwise from bytes to a mebibyte.
    int64_t bytes = draw(20) == 0 ? 0 : draw(int64_t(1) << (1 + draw(20)));
    problem.items.push_back({bytes, first, last});
  }
  return problem;
}

static ArenaProblem makeProblem(llvm::ArrayRef<ArenaItem> items) {
  ArenaProblem problem;
  problem.items.assign(items.begin(), items.end());
  return problem;
}

static std::string verify(llvm::ArrayRef<ArenaItem> items,
                          llvm::ArrayRef<int64_t> offsets, int64_t bytes) {
  ArenaSolution solution;
  solution.offsets.assign(offsets.begin(), offsets.end());
  solution.arenaBytes = bytes;
  return llvm::toString(verifyArena(makeProblem(items), solution));
}

//===----------------------------------------------------------------------===//
// Solutions
//===----------------------------------------------------------------------===//

TEST(ArenaPackingTest, PacksNothing) {
  ArenaSolution solution = packArena(ArenaProblem());
  EXPECT_TRUE(solution.offsets.empty());
  EXPECT_EQ(solution.arenaBytes, 0);
}

TEST(ArenaPackingTest, SharesBytesOfTheDead) {
  // The second ends after the first; the third starts when the first is dead.
  ArenaProblem problem =
      makeProblem({{1000, 0, 1}, {1000, 1, 2}, {1000, 2, 3}});
  ArenaSolution solution = packArena(problem);
  EXPECT_EQ(solution.arenaBytes, 2048);
  EXPECT_EQ(solution.offsets[0], solution.offsets[2]);
}

TEST(ArenaPackingTest, ItemsWithoutBytesNeedNoRoom) {
  ArenaProblem problem = makeProblem({{0, 0, 9}, {1, 0, 9}, {0, 3, 3}});
  ArenaSolution solution = packArena(problem);
  EXPECT_EQ(solution.arenaBytes, 256);
  EXPECT_EQ(solution.offsets, llvm::SmallVector<int64_t>({0, 0, 0}));
}

TEST(ArenaPackingTest, KeepsToAnyAlignment) {
  for (int64_t alignment : {1, 3, 4096}) {
    std::mt19937 random(7);
    ArenaProblem problem = makeRandom(random, 50, 20, 5);
    problem.alignmentBytes = alignment;
    packAndCheck(problem);
  }
}

TEST(ArenaPackingTest, TakesTheLastLaunchThereCanBe) {
  int64_t last = std::numeric_limits<int64_t>::max();
  ArenaProblem problem = makeProblem({{256, 0, last}, {256, last, last}});
  EXPECT_EQ(packAndCheck(problem), 1.0);
}

TEST(ArenaPackingTest, PacksRandomProblems) {
  std::mt19937 random(1);
  double worst = 1, sum = 0;
  for (int trial = 0; trial < 200; ++trial) {
    int64_t numLaunches = 1 + static_cast<int64_t>(random() % 100);
    int64_t longestLife = 1 + static_cast<int64_t>(random() % 40);
    double ratio =
        packAndCheck(makeRandom(random, static_cast<int64_t>(random() % 120),
                                numLaunches, longestLife));
    worst = std::max(worst, ratio);
    sum += ratio;
  }
  printf("random problems: worst ratio %.4f, mean %.4f\n", worst, sum / 200);
}

TEST(ArenaPackingTest, PacksTransformersWithinFivePercent) {
  // Layers, rows, hidden, heads, heads of keys, head size, feed forward,
  // vocabulary, experts, quantized, norms of the heads,
  // scratch.
  const Shape shapes[] = {
      {28, 1, 1024, 16, 8, 128, 3072, 151936, 0, false, true},
      {28, 1, 1024, 16, 8, 128, 3072, 151936, 0, true},
      {28, 256, 1024, 16, 8, 128, 3072, 151936, 0, false, true},
      {28, 256, 1024, 16, 8, 128, 3072, 151936, 0, true},
      {32, 1, 4096, 32, 8, 128, 14336, 128256, 0, true},
      {32, 512, 4096, 32, 8, 128, 14336, 128256, 0, false},
      {32, 512, 4096, 32, 8, 128, 14336, 128256, 0, true},
      {80, 17, 8192, 64, 8, 128, 28672, 128256, 0, true},
      {64, 100, 5120, 64, 8, 128, 25600, 151936, 0, true, true},
      {32, 64, 4096, 32, 32, 128, 11008, 32000, 0, true},
      {48, 1, 2048, 32, 4, 128, 768, 151936, 128, true, true},
      {48, 256, 2048, 32, 4, 128, 768, 151936, 128, false},
      {48, 256, 2048, 32, 4, 128, 768, 151936, 128, true, true},
      {48, 256, 2048, 32, 4, 128, 768, 151936, 128, true, true, false},
      {94, 128, 4096, 64, 4, 128, 1536, 151936, 128, true, true},
      {36, 33, 2880, 64, 8, 64, 2880, 201088, 32, true},
  };
  double worst = 1;
  for (const Shape &shape : shapes) {
    double ratio = packAndCheck(ChainBuilder(shape).run());
    EXPECT_LE(ratio, 1.05) << shape.layers << " layers of " << shape.rows
                           << " rows of " << shape.hidden;
    worst = std::max(worst, ratio);
  }
  printf("transformers: worst ratio %.4f\n", worst);
}

TEST(ArenaPackingTest, PacksTransformersOfAnyWidthWithinFivePercent) {
  std::mt19937 random(3);
  auto draw = [&](int64_t low, int64_t high) {
    return low + static_cast<int64_t>(random() %
                                      static_cast<uint64_t>(high - low + 1));
  };
  double worst = 1;
  for (int trial = 0; trial < 200; ++trial) {
    int64_t kvHeads = draw(1, 16);
    Shape shape = {draw(1, 12),
                   draw(1, 300),
                   64 * draw(4, 128),
                   kvHeads * draw(1, 8),
                   kvHeads,
                   32 * draw(2, 8),
                   64 * draw(4, 500),
                   draw(1000, 200000),
                   random() % 2 ? draw(8, 128) : 0,
                   random() % 2 == 0,
                   random() % 2 == 0,
                   random() % 2 == 0};
    double ratio = packAndCheck(ChainBuilder(shape).run());
    EXPECT_LE(ratio, 1.05) << "trial " << trial;
    worst = std::max(worst, ratio);
  }
  printf("transformers of any width: worst ratio %.4f\n", worst);
}

TEST(ArenaPackingTest, EveryHeuristicHolds) {
  std::mt19937 random(11);
  ArenaProblem problem = makeRandom(random, 200, 60, 20);
  for (ArenaOrder order :
       {ArenaOrder::BySize, ArenaOrder::ByArea, ArenaOrder::ByLife}) {
    EXPECT_EQ(findFault(problem, packBySweep(problem, order)), "");
    for (unsigned rounds : {1u, 8u})
      EXPECT_EQ(findFault(problem, packByGaps(problem, order, rounds)), "");
    EXPECT_LE(packByGaps(problem, order, 8).arenaBytes,
              packByGaps(problem, order, 1).arenaBytes);
  }
}

TEST(ArenaPackingTest, CountsPairsThatLiveTogether) {
  EXPECT_EQ(ArenaProblem().countPairs(), 0);
  // (0, 1) at launch 1, (1, 2) at 2; the last lives alone.
  EXPECT_EQ(
      makeProblem({{1, 0, 1}, {1, 1, 2}, {1, 2, 2}, {1, 3, 3}}).countPairs(),
      2);
  ArenaProblem crowd;
  crowd.items.assign(200, {1, 0, 9});
  EXPECT_EQ(crowd.countPairs(), 200 * 199 / 2);
}

TEST(ArenaPackingTest, OrderOfItemsDecidesBetweenEqualOnesOnly) {
  std::mt19937 random(5);
  for (int trial = 0; trial < 20; ++trial) {
    ArenaProblem problem = makeRandom(random, 120, 40, 12);
    ArenaSolution solution = packArena(problem);
    EXPECT_EQ(packArena(problem).offsets, solution.offsets);

    auto permutation = llvm::to_vector(llvm::seq<size_t>(0, 120));
    std::shuffle(permutation.begin(), permutation.end(), random);
    ArenaProblem shuffled = problem;
    for (auto [index, from] : llvm::enumerate(permutation))
      shuffled.items[index] = problem.items[from];
    ArenaSolution other = packArena(shuffled);
    EXPECT_EQ(other.arenaBytes, solution.arenaBytes);

    // As sets of items with their offsets the two are the same.
    using Placed = std::tuple<int64_t, int64_t, int64_t, int64_t>;
    auto sortPlaced = [](const ArenaProblem &problem,
                         const ArenaSolution &solution) {
      std::vector<Placed> placed;
      for (auto [item, offset] :
           llvm::zip_equal(problem.items, solution.offsets))
        placed.push_back(
            {item.firstLaunch, item.lastLaunch, item.bytes, offset});
      llvm::sort(placed);
      return placed;
    };
    EXPECT_EQ(sortPlaced(shuffled, other), sortPlaced(problem, solution));
  }
}

TEST(ArenaPackingTest, PacksAHundredThousandItems) {
  // Short lives, long lives, and all alive at once.
  std::mt19937 random(9);
  for (int64_t longestLife : {20, 20000}) {
    ArenaProblem problem = makeRandom(random, 100000, 40000, longestLife);
    ArenaSolution solution = packArena(problem);
    EXPECT_EQ(llvm::toString(verifyArena(problem, solution)), "");
    printf("100000 items that live up to %d launches: ratio %.4f\n",
           static_cast<int>(longestLife),
           static_cast<double>(solution.arenaBytes) /
               static_cast<double>(problem.getLowerBoundBytes()));
  }
  ArenaProblem crowd;
  crowd.items.assign(100000, {100, 0, 50});
  EXPECT_EQ(packArena(crowd).arenaBytes, 25600000);
}

//===----------------------------------------------------------------------===//
// Problems that do not check
//===----------------------------------------------------------------------===//

TEST(ArenaPackingTest, CheckNamesTheFirstFault) {
  auto check = [](llvm::ArrayRef<ArenaItem> items) {
    return llvm::toString(makeProblem(items).check());
  };
  EXPECT_EQ(check({{1, 0, 0}, {-1, 0, 0}}), "item 1 has -1 bytes");
  EXPECT_EQ(check({{1, -2, 0}}), "item 0 lives from launch -2 to 0");
  EXPECT_EQ(check({{1, 5, 4}}), "item 0 lives from launch 5 to 4");
  // Two halves are 2^62 bytes; one byte less is padded to as many. They pass
  // even where they do not live together.
  int64_t half = int64_t(1) << 61;
  EXPECT_EQ(check({{half, 0, 0}, {half, 1, 1}}),
            "the bytes reach 2^62 at item 1");
  EXPECT_EQ(check({{half, 0, 0}, {half - 1, 1, 1}}),
            "the bytes reach 2^62 at item 1");
  EXPECT_EQ(check({{half, 0, 0}, {half - 256, 1, 1}}), "");
  EXPECT_EQ(check({{std::numeric_limits<int64_t>::max(), 0, 0}}),
            "the bytes reach 2^62 at item 0");
  ArenaProblem problem;
  problem.alignmentBytes = 0;
  EXPECT_EQ(llvm::toString(problem.check()), "the alignment is 0");
}

//===----------------------------------------------------------------------===//
// Solutions that do not verify
//===----------------------------------------------------------------------===//

TEST(ArenaPackingTest, VerifierWantsAnOffsetForEachItem) {
  EXPECT_EQ(verify({{1, 0, 0}}, {}, 256), "0 offsets for 1 items");
  EXPECT_EQ(verify({{1, 0, 0}}, {0, 256}, 512), "2 offsets for 1 items");
}

TEST(ArenaPackingTest, VerifierWantsAlignedOffsets) {
  EXPECT_EQ(verify({{1, 0, 0}}, {255}, 512),
            "item 0 is at offset 255, which is not a multiple of 256");
  EXPECT_EQ(verify({{1, 0, 0}}, {-256}, 512),
            "item 0 is at offset -256, which is not a multiple of 256");
  EXPECT_EQ(verify({{0, 0, 0}}, {1}, 512),
            "item 0 is at offset 1, which is not a multiple of 256");
}

TEST(ArenaPackingTest, VerifierKeepsItemsInsideTheArena) {
  EXPECT_EQ(verify({{1, 0, 0}}, {256}, 257), "");
  EXPECT_EQ(verify({{2, 0, 0}}, {256}, 257),
            "item 0 of 2 bytes at offset 256 passes the arena's 257 bytes");
  int64_t high = std::numeric_limits<int64_t>::max() / 256 * 256;
  EXPECT_EQ(verify({{256, 0, 0}}, {high}, std::numeric_limits<int64_t>::max()),
            "item 0 of 256 bytes at offset 9223372036854775552 passes the "
            "arena's 9223372036854775807 bytes");
}

TEST(ArenaPackingTest, VerifierFindsOverlaps) {
  // The same offset; from below; from above; inside one another.
  EXPECT_EQ(verify({{1, 0, 1}, {1, 1, 2}}, {0, 0}, 512),
            "items 0 and 1 overlap at offsets 0 and 0, and both live at launch "
            "1");
  EXPECT_EQ(verify({{257, 0, 1}, {1, 1, 2}}, {0, 256}, 512),
            "items 0 and 1 overlap at offsets 0 and 256, and both live at "
            "launch 1");
  EXPECT_EQ(verify({{1, 0, 1}, {257, 1, 2}}, {256, 0}, 512),
            "items 0 and 1 overlap at offsets 256 and 0, and both live at "
            "launch 1");
  EXPECT_EQ(verify({{1, 3, 3}, {2000, 0, 9}}, {512, 0}, 2048),
            "items 0 and 1 overlap at offsets 512 and 0, and both live at "
            "launch 3");
}

TEST(ArenaPackingTest, VerifierLetsTheDeadAndTheEmptyOverlap) {
  EXPECT_EQ(verify({{512, 0, 1}, {512, 2, 3}}, {0, 256}, 768), "");
  EXPECT_EQ(verify({{512, 0, 1}, {0, 0, 1}, {0, 0, 1}}, {0, 256, 256}, 512),
            "");
  // The last one dead and not the first one.
  EXPECT_EQ(verify({{256, 0, 9}, {256, 0, 1}, {256, 2, 3}}, {0, 256, 256}, 512),
            "");
}

TEST(ArenaPackingTest, VerifierAgreesWithEveryPair) {
  // Small random offsets: many solutions overlap, and some do not.
  std::mt19937 random(13);
  int numRight = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    ArenaProblem problem;
    ArenaSolution solution;
    solution.arenaBytes = 4096;
    for (int item = 0; item < 5; ++item) {
      int64_t first = static_cast<int64_t>(random() % 6);
      problem.items.push_back({static_cast<int64_t>(random() % 600), first,
                               first + static_cast<int64_t>(random() % 3)});
      solution.offsets.push_back(256 * static_cast<int64_t>(random() % 8));
    }
    bool isRight = findFault(problem, solution).empty();
    EXPECT_EQ(llvm::toString(verifyArena(problem, solution)).empty(), isRight)
        << "trial " << trial;
    numRight += isRight;
  }
  EXPECT_GT(numRight, 100);
  EXPECT_LT(numRight, 1900);
}
