//===- UpstreamLaunches.h - Upstream operations as launches -----*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// External models of LaunchOpInterface for operations of upstream's dialects on
// memrefs, so that passes see what programs of other compilers read and write.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_CONVERSION_UPSTREAMLAUNCHES_H
#define LANE_CONVERSION_UPSTREAMLAUNCHES_H

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/Value.h"

namespace lane {

/// Attaches LaunchOpInterface to linalg's structured operations, memref.copy,
/// gpu.memcpy, gpu.memset and gpu.launch_func once their dialects are loaded.
///
/// A linalg operation also reads the memrefs that its body loads from: by rows
/// if the first index depends on data, as in an embedding; as experts if such
/// an index is into a stack of three dimensions or more. A gpu.launch_func
/// reads and writes what its kernel does; if the kernel has no body, it reads
/// all of its memrefs densely and writes those that are not weights.
void registerUpstreamLaunchModels(mlir::DialectRegistry &registry);

/// The memref that `memref` is a view of, through any number of views.
mlir::Value getViewedMemref(mlir::Value memref);

/// Whether `memref`, which is not a view, is a weight: a constant
/// memref.global, or an argument of a function with the attribute
/// `lane.weight`.
bool isWeightMemref(mlir::Value memref);

} // namespace lane

#endif // LANE_CONVERSION_UPSTREAMLAUNCHES_H
