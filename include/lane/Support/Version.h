//===- Version.h - The version of Lane's tools ------------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `--version` of a tool prints. The version itself is in
// lane/Config/Version.h.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_SUPPORT_VERSION_H
#define LANE_SUPPORT_VERSION_H

namespace lane {

/// Makes `--version` print Lane's version, then LLVM's. Call it before the
/// command line is parsed.
void registerVersionPrinter();

} // namespace lane

#endif // LANE_SUPPORT_VERSION_H
