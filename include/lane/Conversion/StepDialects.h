//===- StepDialects.h - Dialects of the code of steps -----------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LANE_CONVERSION_STEPDIALECTS_H
#define LANE_CONVERSION_STEPDIALECTS_H

#include "mlir/IR/DialectRegistry.h"

namespace lane {

/// Registers upstream's dialects in which steps are written, so that tools can
/// read planned modules that have steps.
void registerStepDialects(mlir::DialectRegistry &registry);

} // namespace lane

#endif // LANE_CONVERSION_STEPDIALECTS_H
