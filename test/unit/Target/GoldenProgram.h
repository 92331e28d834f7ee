//===- GoldenProgram.h - Golden programs with op builders -------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds golden programs with the op builders, as a compiler that links MLIR
// does. Unlike the import, it assumes that the golden files are valid.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_UNITTEST_TARGET_GOLDENPROGRAM_H
#define LANE_UNITTEST_TARGET_GOLDENPROGRAM_H

#include "lane/Dialect/Lane/IR/LaneOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/JSON.h"
#include <random>

namespace lane::test {

/// Members of an object, which must exist.
int64_t getInteger(const llvm::json::Object &object, llvm::StringRef key);
llvm::StringRef getString(const llvm::json::Object &object,
                          llvm::StringRef key);
/// The objects of an array, shuffled if there is a `random`.
llvm::SmallVector<const llvm::json::Object *>
getObjects(const llvm::json::Object &object, llvm::StringRef key,
           std::mt19937 *random = nullptr);

/// Builds one golden program. A `random` shuffles symbols, buffers, and the
/// reads of a launch, whose order does not affect the plan.
class GoldenBuilder {
public:
  GoldenBuilder(mlir::MLIRContext *context, const llvm::json::Object &golden,
                std::mt19937 *random)
      : builder(context), golden(golden), random(random) {}

  mlir::OwningOpRef<mlir::ModuleOp> build();

private:
  bool isShared(const llvm::json::Object &buffer);
  void buildShared();
  void buildForm(const llvm::json::Object &form, llvm::StringRef name);
  void buildBuffer(const llvm::json::Object &buffer);
  void buildAlias(const llvm::json::Object &buffer);
  void buildKernel(const llvm::json::Object &launch, mlir::ArrayAttr scratch);
  void buildLaunch(const llvm::json::Object &launch, int64_t index);
  BufferType getBufferType(const llvm::json::Object &buffer);
  StorageAttr getStorage(const llvm::json::Object &buffer, llvm::StringRef key);
  mlir::ArrayAttr getScratch(const llvm::json::Object &launch, int64_t index);

  mlir::OpBuilder builder;
  mlir::Location loc = builder.getUnknownLoc();
  const llvm::json::Object &golden;
  std::mt19937 *random;
  llvm::StringSet<> decodeState;
  llvm::StringMap<mlir::Type> sharedTypes;
  /// The JSON of the current form.
  const llvm::json::Object *form = nullptr;
  llvm::StringMap<mlir::Value> values;
};

} // namespace lane::test

#endif // LANE_UNITTEST_TARGET_GOLDENPROGRAM_H
