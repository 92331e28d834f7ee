//===- Version.cpp - The version of Lane's tools --------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Support/Version.h"
#include "lane/Config/Version.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

void lane::registerVersionPrinter() {
  llvm::cl::SetVersionPrinter([](llvm::raw_ostream &os) {
    os << "Lane version " LANE_VERSION_STRING "\n";
    // Bypasses the printer set here, so that it prints LLVM's own text.
    llvm::cl::PrintVersionMessage();
  });
}
