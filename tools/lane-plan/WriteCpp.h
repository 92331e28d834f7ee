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

/// Writes the C header and the C++ source of the planned program of `module`,
/// which places by `policy`, to `folder`, which is made where it is not there.
/// Each file is whole or is not there. Prints a diagnostic where that fails.
/// Returns the path of both without what tells them apart.
llvm::FailureOr<std::string>
writeCpp(mlir::ModuleOp module, llvm::StringRef folder, HostPolicy policy);

} // namespace lane

#endif // LANE_TOOLS_LANE_PLAN_WRITECPP_H
