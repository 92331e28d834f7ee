//===- FormBuilder.h - Builds a form launch by launch -----------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds the buffers and launches of one form of an imported model. A method
// that builds a launch returns its output. After the first error every method
// returns null and does nothing, so callers only check `hasFailed` at the end.
//===----------------------------------------------------------------------===//

#ifndef LANE_LIB_TARGET_GGUF_FORMBUILDER_H
#define LANE_LIB_TARGET_GGUF_FORMBUILDER_H

#include "Architectures.h"
#include "LaunchOptions.h"
#include "TensorTable.h"

namespace lane::importer {

/// Tensors of experts besides their stacks.
struct ExpertTensors {
  mlir::Value selectionBias;
  /// One for each stack, or none.
  llvm::SmallVector<mlir::Value, 3> biases;
  llvm::SmallVector<mlir::Value, 3> scales;
};

class FormBuilder {
public:
  /// Appends to `form`. By default, activations have the rows of the form.
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
  /// An f32 activation of `rows` rows, or i32 on request.
  mlir::Value alloc(const llvm::Twine &name, int64_t rows, int64_t columns,
                    bool isInteger = false);
  /// An f32 activation for each of `outputs`, with its name and columns.
  llvm::SmallVector<mlir::Value>
  allocAll(llvm::ArrayRef<std::pair<std::string, int64_t>> outputs);
  /// `count` rows of `columns` elements of `base` from row `first` on.
  mlir::Value viewRows(const llvm::Twine &name, mlir::Value base, int64_t first,
                       int64_t count, int64_t columns);
  /// The tensor `name`, which must have the shape `shape`, rows first.
  mlir::Value tensor(const llvm::Twine &name, llvm::ArrayRef<int64_t> shape);
  /// Whether the checkpoint has the tensor `name`.
  bool hasTensor(const llvm::Twine &name) const {
    return tensors.contains(name.str());
  }
  /// The number of rows of the tensor `name`, for dimensions that no key gives.
  /// Returns 1 if it is missing; reading the tensor then fails.
  int64_t getTensorRows(const llvm::Twine &name) const {
    return tensors.getNumRows(name.str());
  }
  /// A reference to state of the program.
  mlir::Value state(StateOp op);

  //===--------------------------------------------------------------------===//
  // Launches, named after their outputs
  //===--------------------------------------------------------------------===//

  mlir::Value gather(const llvm::Twine &name, mlir::Value ids,
                     mlir::Value table);
  /// A norm of groups of the length of `weight`; or without a weight of groups
  /// of `length`, or of rows.
  mlir::Value norm(const llvm::Twine &name, NormKind kind, mlir::Value input,
                   mlir::Value weight, mlir::Value bias, double epsilon,
                   int64_t length = 0);
  mlir::Value matmul(const llvm::Twine &name, mlir::Value input,
                     mlir::Value weight, mlir::Value bias = {});
  /// The matmul of `input`, whose rows have `columns` elements, with the tensor
  /// `tensor`.weight of `rows` rows. Adds `tensor`.bias depending on `bias`,
  /// and multiplies by `tensor`.scale if the checkpoint has it, as for NVFP4.
  /// The output is named `tensor`.
  mlir::Value project(const llvm::Twine &tensor, mlir::Value input,
                      int64_t columns, int64_t rows,
                      Presence bias = Presence::Never);
  /// Same as `project`, but with a separate name for the output.
  mlir::Value projectInto(const llvm::Twine &name, const llvm::Twine &tensor,
                          mlir::Value input, int64_t columns, int64_t rows,
                          Presence bias = Presence::Never);
  /// For each head, multiplies the rows of `input` by the head's matrix.
  mlir::Value batchMatmul(const llvm::Twine &name, mlir::Value input,
                          mlir::Value weight);
  mlir::Value rope(const llvm::Twine &name, RopeKind kind, mlir::Value input,
                   mlir::Value positions, mlir::Value factors,
                   int64_t dimensions, double base, const RopeOptions &options);
  /// Writes the rows of `input` to the rows `positions` of `cache`.
  void appendToCache(mlir::Value input, mlir::Value cache,
                     mlir::Value positions);
  /// `inputs` are query, keys, values, positions and other operands.
  mlir::Value attention(const llvm::Twine &name, mlir::ValueRange inputs,
                        int64_t columns, const AttentionOptions &options);
  mlir::Value elementwise(const llvm::Twine &name, ElementwiseKind kind,
                          mlir::ValueRange inputs,
                          std::optional<double> factor = std::nullopt);
  /// Without `gate`, `up` contains both.
  mlir::Value moe(const llvm::Twine &name, mlir::Value input,
                  mlir::Value router, mlir::Value up, mlir::Value gate,
                  mlir::Value down, const ExpertTensors &tensors,
                  const MoeOptions &options);
  mlir::Value recurrent(const llvm::Twine &name, RecurrentKind kind,
                        mlir::ValueRange inputs, mlir::ValueRange state,
                        int64_t columns);
  mlir::Value sample(const llvm::Twine &name, mlir::Value logits);
  /// A launch of the kernel `kernel` that reads `inputs` densely and writes
  /// one activation of `rows` rows.
  mlir::Value launch(llvm::StringRef kernel, const llvm::Twine &name,
                     mlir::ValueRange inputs, int64_t rows, int64_t columns);
  /// A launch that reads the tensor `name` as `getAccess` returns, and `input`,
  /// for a model of unknown architecture. The kernel has the name of ggml's
  /// operation.
  mlir::Value read(llvm::StringRef name, mlir::Value input,
                   llvm::function_ref<ReadAccess(mlir::Operation *)> getAccess);
  /// Splits each of the `groups` of a row of `input` into the named outputs,
  /// whose rows have the given columns.
  llvm::SmallVector<mlir::Value>
  split(mlir::Value input,
        llvm::ArrayRef<std::pair<std::string, int64_t>> outputs,
        int64_t groups = 1);
  /// The same by a kernel that orders the elements of the outputs.
  llvm::SmallVector<mlir::Value>
  splitGroups(llvm::StringRef kernel, mlir::Value input,
              llvm::ArrayRef<std::pair<std::string, int64_t>> outputs);
  /// Joins `inputs` to rows of `columns` elements, group by group.
  mlir::Value join(const llvm::Twine &name, mlir::ValueRange inputs,
                   int64_t columns, int64_t groups = 1);

  /// Sets the storages that launches use on each buffer. A matmul with a
  /// quantized weight reads quants and scales of its input; all other reads are
  /// plain.
  void setUsedStorages();

private:
  /// The only reference of the form to `symbol`, which has the name `name`.
  mlir::Value refer(llvm::StringRef name, mlir::Operation *symbol);
  bool anyNull(mlir::ValueRange values);
  mlir::FloatAttr getOptional(std::optional<double> number);
  /// Null for the usual number.
  mlir::FloatAttr getUnless(double usual, double number);
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
