//===- TrafficTest.cpp - Bytes that a step reads of each upload -----------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Analysis/Traffic.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"
#include <map>

using namespace mlir;
using namespace lane;

namespace {

/// A program with a table of rows of 32 bytes, a stack of 8 experts of 64
/// bytes, and a matrix of 96 bytes that is read twice, once by a fused launch.
/// It has a decode form, and a batch form of four rows.
constexpr llvm::StringLiteral kProgram = R"mlir(
lane.program @p context(16) numerics(one_pass) {
  lane.matrix @table : !lane.matrix<100x32xi8> rows [#lane.rows<file = 0, offset = 0, count = 100>]
  lane.matrix @stack : !lane.matrix<8x2x32xi8> rows [#lane.rows<file = 0, offset = 4096, count = 16>]
  lane.matrix @twice : !lane.matrix<3x32xi8> rows [#lane.rows<file = 0, offset = 8192, count = 3>]
  lane.matrix @shared : !lane.matrix<3x32xi8> rows [#lane.rows<file = 0, offset = 8192, count = 3>]
  lane.matrix @unread : !lane.matrix<1x32xi8> rows [#lane.rows<file = 0, offset = 9000, count = 1>]
  lane.form @decode decode rows(1) {
    %t = lane.ref @table : !lane.matrix<100x32xi8>
    %s = lane.ref @stack : !lane.matrix<8x2x32xi8>
    %w = lane.ref @twice : !lane.matrix<3x32xi8>
    lane.launch "a" ins(%t : !lane.matrix<100x32xi8> gather)
    lane.launch "b" ins(%s : !lane.matrix<8x2x32xi8> expert(2 of 8))
    lane.launch "c" ins(%w : !lane.matrix<3x32xi8>)
    lane.fused {
      lane.launch "d" ins(%w : !lane.matrix<3x32xi8>)
    }
  }
  lane.form @batch batch rows(4) {
    %t = lane.ref @table : !lane.matrix<100x32xi8>
    %s = lane.ref @stack : !lane.matrix<8x2x32xi8>
    %v = lane.ref @shared : !lane.matrix<3x32xi8>
    lane.launch "a" ins(%t : !lane.matrix<100x32xi8> gather)
    lane.launch "b" ins(%s : !lane.matrix<8x2x32xi8> expert(2 of 8))
    lane.launch "e" ins(%s : !lane.matrix<8x2x32xi8> expert)
    lane.launch "c" ins(%v : !lane.matrix<3x32xi8>)
  }
}
)mlir";

std::map<std::string, int64_t> getTraffic(const FormWeights &weights) {
  DialectRegistry registry;
  registry.insert<LaneDialect>();
  MLIRContext context(registry);
  auto module = parseSourceString<ModuleOp>(kProgram, &context);
  EXPECT_TRUE(bool(module));
  auto program = *module->getOps<ProgramOp>().begin();
  FailureOr<ResidencePlan> plan = computeResidencePlan(program);
  EXPECT_TRUE(succeeded(plan));
  auto traffic = computeTraffic(program, *plan, weights);
  EXPECT_TRUE(succeeded(traffic));
  std::map<std::string, int64_t> byName;
  for (auto [upload, bytes] : llvm::zip(plan->order, *traffic))
    byName[MatrixOp(upload.matrix).getSymName().str()] = bytes;
  return byName;
}

using Figures = std::map<std::string, int64_t>;

TEST(TrafficTest, OfAStepOfOneRow) {
  // The owner of the upload is the first by name.
  EXPECT_EQ(
      getTraffic({}),
      (Figures{
          {"stack", 2 * 64}, {"table", 32}, {"twice", 2 * 96}, {"unread", 0}}));
}

TEST(TrafficTest, OfABatch) {
  // Four rows use 8 * (1 - (6/8)^4) = 5.46875 of 8 experts together. If the
  // launch has no counts, all are read.
  EXPECT_EQ(getTraffic({/*decode=*/0, /*prefill=*/1, /*batch=*/1}),
            (Figures{{"stack", 350 + 512},
                     {"table", 4 * 32},
                     {"twice", 96},
                     {"unread", 0}}));
}

TEST(TrafficTest, SumsTheFormsByWeight) {
  EXPECT_EQ(getTraffic({/*decode=*/10, /*prefill=*/0, /*batch=*/2}),
            (Figures{{"stack", 10 * 128 + 2 * 862},
                     {"table", 10 * 32 + 2 * 128},
                     {"twice", 10 * 192 + 2 * 96},
                     {"unread", 0}}));
}

} // namespace
