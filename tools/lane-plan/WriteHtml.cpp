//===- WriteHtml.cpp - Writes the HTML report -----------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WriteHtml.h"
#include "lane/Analysis/Traffic.h"
#include "lane/Support/OutputFile.h"
#include "lane/Target/Html/HtmlReport.h"

using namespace mlir;
using namespace lane;

/// Adds the point for `budgetBytes` to a sweep, and returns its index. Budgets
/// above the whole are treated as the whole.
static int64_t addPoint(const PlacementProblem &problem, int64_t budgetBytes,
                        SmallVector<SweepPoint> &points) {
  auto *it = llvm::lower_bound(points, budgetBytes,
                               [](const SweepPoint &point, int64_t budget) {
                                 return point.lastRead.budgetBytes < budget;
                               });
  if (it == points.end())
    return points.size() - 1;
  int64_t index = it - points.begin();
  if (it->lastRead.budgetBytes != budgetBytes)
    points.insert(it, computeSweepPoint(problem, budgetBytes));
  return index;
}

LogicalResult lane::writeHtml(ProgramOp program, const ResidencePlan &plan,
                              const HtmlOptions &options) {
  FailureOr<PlacementProblem> problem = computePlacementProblem(program, plan);
  if (failed(problem))
    return failure();
  options.memory.applyTo(*problem);
  SmallVector<SweepPoint> points = computeSweep(*problem, kHtmlReportPoints);
  int64_t start = points.size() - 1;
  if (options.budgetBytes)
    start = addPoint(*problem, *options.budgetBytes, points);

  std::string page;
  llvm::raw_string_ostream os(page);
  printHtmlReport(program, plan,
                  {{options.title.str(), options.device.name,
                    options.device.speed, *problem, points},
                   start,
                   options.policy},
                  os);
  if (llvm::Error error = writeFile(options.path, page))
    return emitError(UnknownLoc::get(program.getContext()))
           << llvm::toString(std::move(error));
  return success();
}
