//===- FormBuilder.h - Builds a form launch by launch -----------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds the buffers and launches of one form of an imported model. A method
// that makes a launch returns its output. After the first error every method
// returns null and does nothing, so that a block of a model reads straight
// through; `hasFailed` is asked once at the end.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_LIB_TARGET_GGUF_FORMBUILDER_H
#define LANE_LIB_TARGET_GGUF_FORMBUILDER_H

#include "TensorTable.h"

namespace lane::importer {

class FormBuilder {
public:
  /// Builds at the end of `form`, whose rows are the rows of its activations.
  FormBuilder(FormOp form, TensorTable &tensors)
      : form(form), tensors(tensors), loc(form.getLoc()),
        builder(mlir::OpBuilder::atBlockEnd(&form.getBody().front())) {}

  bool hasFailed() const { return failed; }
  int64_t getRows() { return form.getRows(); }
  FormKind getKind() { return form.getKind(); }

  //===--------------------------------------------------------------------===//
  // Buffers
  //===--------------------------------------------------------------------===//

  mlir::Value param(llvm::StringRef name, int64_t length, bool isPosition);
  /// An f32 activation of `rows` rows; an i32 one where asked.
  mlir::Value alloc(const llvm::Twine &name, int64_t rows, int64_t columns,
                    bool isInteger = false);
  /// `count` rows of `columns` elements of `base` from row `first` on.
  mlir::Value viewRows(const llvm::Twine &name, mlir::Value base, int64_t first,
                       int64_t count, int64_t columns);
  /// The tensor `name`, which must have that shape, rows first.
  mlir::Value tensor(const llvm::Twine &name, llvm::ArrayRef<int64_t> shape);
  /// Whether the checkpoint has the tensor `name`.
  bool hasTensor(const llvm::Twine &name) const {
    return tensors.contains(name.str());
  }
  /// State of the program, held by this form.
  mlir::Value state(StateOp op);

  //===--------------------------------------------------------------------===//
  // Launches, each named after its output
  //===--------------------------------------------------------------------===//

  mlir::Value gather(const llvm::Twine &name, mlir::Value ids,
                     mlir::Value table);
  /// A norm by the root mean square, of runs as long as `weight`.
  mlir::Value rmsNorm(const llvm::Twine &name, mlir::Value input,
                      mlir::Value weight, double epsilon);
  mlir::Value matmul(const llvm::Twine &name, mlir::Value input,
                     mlir::Value weight, mlir::Value bias = {});
  mlir::Value rope(const llvm::Twine &name, RopeKind kind, mlir::Value input,
                   mlir::Value positions, mlir::Value factors,
                   int64_t dimensions, double base);
  /// Writes the rows of `input` to the rows of `cache` at the positions.
  void appendToCache(mlir::Value input, mlir::Value cache,
                     mlir::Value positions);
  mlir::Value attention(const llvm::Twine &name, mlir::ValueRange inputs,
                        int64_t columns, int64_t heads, int64_t kvHeads);
  mlir::Value elementwise(const llvm::Twine &name, ElementwiseKind kind,
                          mlir::ValueRange inputs);
  mlir::Value moe(const llvm::Twine &name, mlir::Value input,
                  mlir::Value router, mlir::Value up, mlir::Value gate,
                  mlir::Value down, int64_t chosen);
  mlir::Value sample(const llvm::Twine &name, mlir::Value logits);

  /// Says which storages launches touch, once all launches are there: a
  /// weight in blocks is multiplied with levels and scales of its input, all
  /// else reads plain numbers.
  void setTouchedStorages();

private:
  bool anyNull(mlir::ValueRange values);
  /// An activation with the rows and columns of `like`.
  mlir::Value allocLike(const llvm::Twine &name, mlir::Value like);

  FormOp form;
  TensorTable &tensors;
  mlir::Location loc;
  mlir::OpBuilder builder;
  llvm::StringMap<mlir::Value> refs;
  bool failed = false;
};

} // namespace lane::importer

#endif // LANE_LIB_TARGET_GGUF_FORMBUILDER_H
