//===- Toolkit.h - Where the CUDA Toolkit is --------------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LANE_LIB_CONVERSION_LANETONVVM_TOOLKIT_H
#define LANE_LIB_CONVERSION_LANETONVVM_TOOLKIT_H

#include <string>

namespace lane {

/// Returns the path of a CUDA Toolkit, or an empty string: that of the
/// environment variables that upstream reads, then that of the `ptxas` on the
/// path, then /usr/local/cuda.
std::string findToolkit();

} // namespace lane

#endif // LANE_LIB_CONVERSION_LANETONVVM_TOOLKIT_H
