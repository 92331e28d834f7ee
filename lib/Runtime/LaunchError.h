//===- LaunchError.h - Failures of launches ---------------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LANE_LIB_RUNTIME_LAUNCHERROR_H
#define LANE_LIB_RUNTIME_LAUNCHERROR_H

#include "lane/Runtime/Program.h"

namespace lane::runtime {

/// The first failure of this thread's launches since its last step ended.
/// Upstream's functions, which make launches, return no error.
inline thread_local lane_error launchError = {};

} // namespace lane::runtime

#endif // LANE_LIB_RUNTIME_LAUNCHERROR_H
