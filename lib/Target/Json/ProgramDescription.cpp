//===- ProgramDescription.cpp - The JSON of a program as structures -------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramDescription.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace lane;
using namespace lane::json;

static StringRef stringifyFill(FillKind fill) {
  switch (fill) {
  case FillKind::Rows:
    return "a matrix";
  case FillKind::Values:
    return "values";
  default:
    return "state";
  }
}

std::string lane::json::describeDifference(const BufferDescription &here,
                                           const BufferDescription &there) {
  auto differ = [](const llvm::Twine &what, const llvm::Twine &other) {
    return (what + " here and " + other).str();
  };
  if (here.fill != there.fill)
    return differ("is " + stringifyFill(here.fill), stringifyFill(there.fill));
  if (here.fill != FillKind::Rows)
    return here.length == there.length
               ? ""
               : differ("has length " + llvm::Twine(here.length),
                        llvm::Twine(there.length));
  if (here.format != there.format)
    return differ("is in " + stringifyNumberFormat(here.format),
                  stringifyNumberFormat(there.format));
  if (here.rows != there.rows)
    return differ("has " + llvm::Twine(here.rows) + " rows",
                  llvm::Twine(there.rows));
  if (here.columns != there.columns)
    return differ("has " + llvm::Twine(here.columns) + " columns",
                  llvm::Twine(there.columns));
  if (here.runs.size() != there.runs.size())
    return differ("has " + llvm::Twine(here.runs.size()) + " runs of rows",
                  llvm::Twine(there.runs.size()));
  auto describeRun = [](const RunDescription &run) {
    return llvm::utostr(run.rows) + " rows at offset " +
           llvm::utostr(run.offset) + " of file " + llvm::utostr(run.file);
  };
  for (auto [index, run] : llvm::enumerate(here.runs))
    if (!(run == there.runs[index]))
      return differ("has run " + llvm::Twine(index) + " of " + describeRun(run),
                    describeRun(there.runs[index]));
  return "";
}
