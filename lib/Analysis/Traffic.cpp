//===- Traffic.cpp - Bytes that a step reads of each upload ---------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Analysis/Traffic.h"
#include "lane/Support/Bytes.h"
#include "llvm/ADT/DenseMap.h"
#include <cmath>

using namespace mlir;
using namespace lane;

static int64_t getWeight(const FormWeights &weights, FormKind kind) {
  switch (kind) {
  case FormKind::Decode:
    return weights.decode;
  case FormKind::Prefill:
    return weights.prefill;
  case FormKind::Batch:
    return weights.batch;
  }
  llvm_unreachable("unknown form");
}

/// Bytes that one read of a matrix reads in a form with `rows` rows.
static int64_t getReadBytes(MatrixType type, const ReadAccess &access,
                            int64_t rows) {
  int64_t all = type.getCheckpointBytes();
  switch (access.kind) {
  case AccessKind::Dense:
    return all;
  case AccessKind::Gather:
    return std::min(rows, type.getNumRows()) * type.getRowBytes();
  case AccessKind::Expert: {
    if (access.experts <= 0 || access.active >= access.experts)
      return all;
    int64_t expertBytes = all / access.experts;
    // One row's experts are distinct, so the product is exact.
    if (rows == 1)
      return expertBytes * access.active;
    double missed = 1.0 - double(access.active) / double(access.experts);
    double distinct =
        double(access.experts) * (1.0 - std::pow(missed, double(rows)));
    double bytes = std::ceil(distinct * double(expertBytes));
    return bytes >= double(all) ? all : static_cast<int64_t>(bytes);
  }
  }
  llvm_unreachable("unknown access");
}

FailureOr<SmallVector<int64_t>>
lane::computeTraffic(ProgramOp program, const ResidencePlan &plan,
                     const FormWeights &weights) {
  llvm::DenseMap<StringAttr, size_t> ranks;
  for (auto [rank, upload] : llvm::enumerate(plan.order))
    ranks[MatrixOp(upload.matrix).getSymNameAttr()] = rank;
  for (auto [alias, owner] : plan.shares)
    ranks[MatrixOp(alias).getSymNameAttr()] =
        ranks.lookup(MatrixOp(owner).getSymNameAttr());

  SmallVector<int64_t> traffic(plan.order.size());
  int64_t sum = 0;
  bool overflowed = false;
  auto addRead = [&](LaunchOpInterface launch, OpOperand &read, int64_t rows,
                     int64_t weight) {
    auto ref = dyn_cast_if_present<RefOp>(getBaseBuffer(read.get()));
    auto type = ref ? dyn_cast<MatrixType>(ref.getType()) : MatrixType();
    if (!type)
      return;
    auto rank = ranks.find(ref.getSymbolAttr().getAttr());
    if (rank == ranks.end())
      return;
    std::optional<int64_t> bytes = checkedMulBytes(
        getReadBytes(type, launch.getReadAccess(read), rows), weight);
    std::optional<int64_t> next =
        bytes ? checkedAddBytes(sum, *bytes) : std::nullopt;
    overflowed |= !next;
    if (!next)
      return;
    sum = *next;
    traffic[rank->second] += *bytes;
  };
  SmallVector<OpOperand *> reads;
  for (FormOp form : program.getBody().getOps<FormOp>()) {
    int64_t weight = getWeight(weights, form.getKind());
    if (weight == 0)
      continue;
    for (Operation &op : form.getBody().front()) {
      auto launch = dyn_cast<LaunchOpInterface>(op);
      if (!launch)
        continue;
      launch.forEachPart([&](LaunchOpInterface part) {
        reads.clear();
        part.getReads(reads);
        for (OpOperand *read : reads)
          addRead(part, *read, form.getRows(), weight);
      });
    }
  }
  if (!overflowed)
    return traffic;
  emitBriefOpError(program) << "the bytes that a step of '"
                            << program.getSymName() << "' reads overflow int64";
  return failure();
}

FailureOr<PlacementProblem>
lane::computePlacementProblem(ProgramOp program, const ResidencePlan &plan) {
  FailureOr<SmallVector<int64_t>> stepBytes = computeTraffic(program, plan);
  if (failed(stepBytes))
    return failure();
  PlacementProblem problem = plan.getPlacementProblem();
  problem.stepBytes = std::move(*stepBytes);
  return problem;
}
