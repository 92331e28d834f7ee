//===- GoldenBuilderTest.cpp - Golden programs with op builders -----------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds each golden program with the op builders, and compares its plan and
// placements with the expected ones; then does the same with buffers and
// symbols shuffled, which must not matter.
//
//===----------------------------------------------------------------------===//

#include "GoldenProgram.h"
#include "lane/Dialect/Lane/Transforms/PlanAttributes.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace lane;
using namespace lane::test;

static llvm::json::Object readJson(StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  EXPECT_TRUE(bool(buffer)) << path.str();
  return std::move(
      *llvm::cantFail(llvm::json::parse((*buffer)->getBuffer())).getAsObject());
}

static std::vector<std::string> listGoldenFiles() {
  std::vector<std::string> paths;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator
           file(LANE_TEST_INPUTS_DIR "/Inputs/golden", error),
       end;
       file != end && !error; file.increment(error))
    if (StringRef(file->path()).ends_with(".json"))
      paths.push_back(file->path());
  llvm::sort(paths);
  return paths;
}

static void expectPlan(const ResidencePlan &plan,
                       const llvm::json::Object &expect) {
  EXPECT_EQ(plan.arenaBytes, getInteger(expect, "arena"));
  EXPECT_EQ(plan.fixed.getTotal(), getInteger(expect, "fixed"));
  EXPECT_EQ(plan.spareBytes, getInteger(expect, "spare"));
  EXPECT_EQ(plan.getPlacementProblem().getWholeBytes(),
            getInteger(expect, "whole"));
  llvm::json::Array order;
  for (const Upload &upload : plan.order)
    order.push_back(
        llvm::json::Array{MatrixOp(upload.matrix).getSymName(), upload.bytes});
  EXPECT_EQ(llvm::json::Value(std::move(order)), *expect.get("order"));
  llvm::json::Object shares;
  for (auto [alias, owner] : plan.shares)
    shares[MatrixOp(alias).getSymName()] = MatrixOp(owner).getSymName();
  EXPECT_EQ(llvm::json::Value(std::move(shares)), *expect.get("shares"));
}

/// Compares the placement on each budget, and returns the number of budgets.
static size_t expectPlacements(const ResidencePlan &plan,
                               const llvm::json::Object &expect) {
  PlacementProblem problem = plan.getPlacementProblem();
  EXPECT_EQ(llvm::toString(problem.check()), "");
  auto objects = getObjects(expect, "place");
  for (const llvm::json::Object *object : objects) {
    int64_t budget = getInteger(*object, "budget");
    llvm::Expected<Placement> placement = placeLastRead(problem, budget);
    if (const llvm::json::Object *error = object->getObject("error")) {
      EXPECT_EQ(problem.getResidentBytes(), getInteger(*error, "needed"));
      if (placement) {
        ADD_FAILURE() << "budget " << budget << " was not refused";
        continue;
      }
      std::string message = llvm::toString(placement.takeError());
      for (int64_t value : {problem.getResidentBytes(), budget})
        EXPECT_NE(message.find(std::to_string(value) + " bytes"),
                  std::string::npos)
            << message;
      continue;
    }
    if (!placement) {
      ADD_FAILURE() << llvm::toString(placement.takeError());
      continue;
    }
    EXPECT_EQ(int64_t(placement->getMovedUploads().size()),
              getInteger(*object, "moved"))
        << budget;
    EXPECT_EQ(placement->deviceBytes, getInteger(*object, "device_bytes"));
    EXPECT_EQ(placement->hostBytes, getInteger(*object, "host_bytes"));
    EXPECT_EQ(llvm::toString(verifyPlacement(problem, *placement)), "");
  }
  return objects.size();
}

namespace {

class GoldenBuilderTest : public testing::TestWithParam<std::string> {
protected:
  GoldenBuilderTest() { context.loadDialect<LaneDialect>(); }

  /// Builds the program and computes its plan. Both must succeed.
  ResidencePlan plan(const llvm::json::Object &golden, std::mt19937 *random) {
    module = GoldenBuilder(&context, golden, random).build();
    EXPECT_TRUE(succeeded(verify(*module)));
    program = *module->getOps<ProgramOp>().begin();
    FailureOr<ResidencePlan> plan = computeResidencePlan(program);
    EXPECT_TRUE(succeeded(plan));
    return succeeded(plan) ? std::move(*plan) : ResidencePlan();
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  ProgramOp program;
};

} // namespace

TEST_P(GoldenBuilderTest, PlanAndPlacements) {
  llvm::json::Object golden = readJson(GetParam());
  ResidencePlan plan = this->plan(golden, /*random=*/nullptr);
  const llvm::json::Object &expect = *golden.getObject("expect");
  expectPlan(plan, expect);
  EXPECT_GT(expectPlacements(plan, expect), 0u);

  writePlan(program, plan);
  EXPECT_TRUE(succeeded(verify(*module)));
  EXPECT_TRUE(succeeded(verifyPlanIsCurrent(program, plan)));
}

TEST_P(GoldenBuilderTest, OrderOfBuffersDoesNotMatter) {
  llvm::json::Object golden = readJson(GetParam());
  ResidencePlan first = plan(golden, /*random=*/nullptr);
  OwningOpRef<ModuleOp> kept = std::move(module);
  for (unsigned seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    ResidencePlan shuffled = plan(golden, &random);
    expectPlan(shuffled, *golden.getObject("expect"));
    EXPECT_EQ(shuffled.fixed.loop, first.fixed.loop);
    EXPECT_EQ(shuffled.fixed.values, first.fixed.values);
    EXPECT_EQ(shuffled.fixed.state, first.fixed.state);
    EXPECT_EQ(shuffled.fixed.buffers, first.fixed.buffers);
    EXPECT_EQ(shuffled.fixed.scratch, first.fixed.scratch);
    ASSERT_EQ(shuffled.order.size(), first.order.size());
    for (auto [upload, other] : llvm::zip(shuffled.order, first.order)) {
      EXPECT_EQ(upload.matrixClass, other.matrixClass);
      EXPECT_EQ(upload.lastRead, other.lastRead);
    }
  }
}

/// The name "program_001" for "program-001.json".
static std::string
getTestName(const testing::TestParamInfo<std::string> &info) {
  std::string name = llvm::sys::path::stem(info.param).str();
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

// gtest fails for a suite without instances, that is, without golden files.
INSTANTIATE_TEST_SUITE_P(Golden, GoldenBuilderTest,
                         testing::ValuesIn(listGoldenFiles()), getTestName);
