//===- PoolLayout.cpp - Offsets of every array of a program ---------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Analysis/PoolLayout.h"
#include "LayoutBuilder.h"
#include "lane/Support/Bytes.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace lane;

int64_t lane::getScalesOffset(MatrixType type) {
  return *alignToPool(type.getLength());
}

/// Adds the arrays of `matrix` in the upload with rank `rank`.
static void addMatrix(MatrixOp matrix, int64_t rank, PoolLayout &layout) {
  auto add = [&](const Twine &name, ArrayKind kind, int64_t offset,
                 int64_t bytes) {
    layout.arrays.push_back({name.str(), LaidOutArray::Place::Upload, rank,
                             offset, bytes, matrix, kind});
  };
  MatrixType type = matrix.getType();
  StringRef name = matrix.getSymName();
  if (type.getFormat() != NumberFormat::Q8_0)
    return add(name, ArrayKind::Plain, 0, type.getCheckpointBytes());
  add(name, ArrayKind::Quants, 0, type.getLength());
  add(name + ".scales", ArrayKind::Scales, getScalesOffset(type),
      type.getLength() / kQuantizationBlockElements * 2);
}

/// Adds every upload, then the aliases, which have pointers of their own to the
/// same bytes.
static void addUploads(const ResidencePlan &plan, PoolLayout &layout) {
  llvm::DenseMap<Operation *, int64_t> ranks;
  for (auto [rank, upload] : llvm::enumerate(plan.order)) {
    ranks[upload.matrix] = rank;
    addMatrix(upload.matrix, rank, layout);
  }
  for (auto [alias, owner] : plan.shares)
    addMatrix(alias, ranks.lookup(MatrixOp(owner)), layout);
}

/// Makes names unique: a buffer of a form may have the name that the layout
/// gives to another array.
static void makeNamesUnique(PoolLayout &layout) {
  llvm::StringSet<> taken;
  for (LaidOutArray &array : layout.arrays) {
    std::string name = array.name;
    for (int64_t copy = 2; !taken.insert(name).second; ++copy)
      name = array.name + "." + std::to_string(copy);
    array.name = std::move(name);
  }
}

FailureOr<PoolLayout> lane::computePoolLayout(ProgramOp program,
                                              const ResidencePlan &plan) {
  PoolLayout layout;
  addUploads(plan, layout);
  LayoutVisitor visitor;
  if (failed(LayoutBuilder(program, visitor, &layout).run()))
    return failure();
  makeNamesUnique(layout);
  return layout;
}
