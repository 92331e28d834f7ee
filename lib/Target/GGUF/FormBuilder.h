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

#include "Architectures.h"
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
  /// Rows of the tensor `name`, which only the checkpoint says; 1, and an error
  /// when it is read, where it is missing.
  int64_t getTensorRows(const llvm::Twine &name) const {
    return tensors.getNumRows(name.str());
  }
  /// State of the program, held by this form.
  mlir::Value state(StateOp op);

  //===--------------------------------------------------------------------===//
  // Launches, each named after its output
  //===--------------------------------------------------------------------===//

  mlir::Value gather(const llvm::Twine &name, mlir::Value ids,
                     mlir::Value table);
  /// A norm of runs as long as `weight`, or of whole rows without one.
  mlir::Value norm(const llvm::Twine &name, NormKind kind, mlir::Value input,
                   mlir::Value weight, mlir::Value bias, double epsilon);
  mlir::Value matmul(const llvm::Twine &name, mlir::Value input,
                     mlir::Value weight, mlir::Value bias = {});
  /// The matmul of `input`, whose rows have `columns` elements, with the tensor
  /// `tensor`.weight of `rows` rows; plus `tensor`.bias where `bias` says so,
  /// times `tensor`.scale where the checkpoint has it, as NVFP4's do. The
  /// output is named `tensor`.
  mlir::Value project(const llvm::Twine &tensor, mlir::Value input,
                      int64_t columns, int64_t rows,
                      Presence bias = Presence::Never);
  /// The same with an output of another name.
  mlir::Value projectInto(const llvm::Twine &name, const llvm::Twine &tensor,
                          mlir::Value input, int64_t columns, int64_t rows,
                          Presence bias = Presence::Never);
  /// For each head, the head's rows of `input` by its matrix of `weight`.
  mlir::Value batchMatmul(const llvm::Twine &name, mlir::Value input,
                          mlir::Value weight);
  mlir::Value rope(const llvm::Twine &name, RopeKind kind, mlir::Value input,
                   mlir::Value positions, mlir::Value factors,
                   int64_t dimensions, double base);
  /// Writes the rows of `input` to the rows of `cache` at the positions.
  void appendToCache(mlir::Value input, mlir::Value cache,
                     mlir::Value positions);
  /// `inputs` are query, keys, values, positions and what else it reads; a
  /// `window` of 0 is none.
  mlir::Value attention(const llvm::Twine &name, mlir::ValueRange inputs,
                        int64_t columns, int64_t heads, int64_t kvHeads,
                        int64_t window, bool isChunked);
  mlir::Value elementwise(const llvm::Twine &name, ElementwiseKind kind,
                          mlir::ValueRange inputs);
  /// Without `gate`, `up` holds both.
  mlir::Value moe(const llvm::Twine &name, mlir::Value input,
                  mlir::Value router, mlir::Value up, mlir::Value gate,
                  mlir::Value down, mlir::ValueRange extra, int64_t chosen);
  mlir::Value recurrent(const llvm::Twine &name, RecurrentKind kind,
                        mlir::ValueRange inputs, mlir::ValueRange state,
                        int64_t columns);
  mlir::Value sample(const llvm::Twine &name, mlir::Value logits);
  /// A launch of the kernel `kernel` that reads `inputs` densely and writes
  /// one activation of `rows` rows.
  mlir::Value launch(llvm::StringRef kernel, const llvm::Twine &name,
                     mlir::ValueRange inputs, int64_t rows, int64_t columns);
  /// A launch that reads the tensor `name` as `getAccess` says, and `input`,
  /// for a model of which nothing more is known: named after ggml's operation
  /// of that kind.
  mlir::Value read(llvm::StringRef name, mlir::Value input,
                   llvm::function_ref<ReadAccess(mlir::Operation *)> getAccess);
  /// A launch that parts each row of `input`, or each head's part of it where
  /// the kernel says so, into the named outputs of so many columns.
  llvm::SmallVector<mlir::Value>
  split(llvm::StringRef kernel, mlir::Value input,
        llvm::ArrayRef<std::pair<std::string, int64_t>> outputs);

  /// Says which storages launches touch, once all launches are there: a
  /// weight in blocks is multiplied with levels and scales of its input, all
  /// else reads plain numbers.
  void setTouchedStorages();

private:
  /// The form's one reference to `symbol`, whose name is `name`.
  mlir::Value refer(llvm::StringRef name, mlir::Operation *symbol);
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
