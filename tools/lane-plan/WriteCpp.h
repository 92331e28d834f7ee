//===- WriteCpp.h - The generated program as files --------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LANE_TOOLS_LANE_PLAN_WRITECPP_H
#define LANE_TOOLS_LANE_PLAN_WRITECPP_H

#include "lane/Conversion/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include <string>

namespace lane {

/// Writes the C header and the C++ source of the planned program of `module` to
/// `folder`, which is created if necessary. The generated program places by
/// `policy`. Writes each file completely or not at all. Returns the path of
/// both without the extension. Fails after a diagnostic.
llvm::FailureOr<std::string>
writeCpp(mlir::ModuleOp module, llvm::StringRef folder, HostPolicy policy);

} // namespace lane

#endif // LANE_TOOLS_LANE_PLAN_WRITECPP_H
