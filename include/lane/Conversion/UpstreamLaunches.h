//===- UpstreamLaunches.h - Upstream operations as launches -----*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// External models of LaunchOpInterface for operations of upstream's dialects on
// memrefs, so that passes see what programs read which nobody wrote for Lane.
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
/// A memref that the body of a linalg operation loads from is read too: by rows
/// where the first index depends on data, as in an embedding; as experts where
/// a stack of three dimensions or more is indexed so. A gpu.launch_func reads
/// and writes what its kernel does; where there is no body to look into, it
/// reads all of its memrefs densely and writes those that are no constants.
void registerUpstreamLaunchModels(mlir::DialectRegistry &registry);

/// The memref that `memref` is a view of, through any number of views.
mlir::Value getViewedMemref(mlir::Value memref);

/// Whether `memref`, which is no view, is a weight: a constant memref.global,
/// or an argument of a function with the attribute `lane.weight`.
bool isWeightMemref(mlir::Value memref);

} // namespace lane

#endif // LANE_CONVERSION_UPSTREAMLAUNCHES_H
