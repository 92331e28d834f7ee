//===- Report.cpp - Prints a plan as text ---------------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Target/Report/Report.h"
#include "PlanTerms.h"
#include "lane/Support/Bytes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using namespace lane;
using llvm::formatv;
using llvm::WithColor;

static llvm::raw_ostream::Colors getColor(MatrixClass matrixClass) {
  switch (matrixClass) {
  case MatrixClass::Gather:
    return llvm::raw_ostream::GREEN;
  case MatrixClass::Expert:
    return llvm::raw_ostream::YELLOW;
  case MatrixClass::Other:
    return llvm::raw_ostream::CYAN;
  }
  llvm_unreachable("unknown class");
}

static void printHeading(StringRef text, llvm::raw_ostream &os) {
  WithColor(os, llvm::raw_ostream::SAVEDCOLOR, /*Bold=*/true) << text;
  os << '\n';
}

/// Prints a term, its exact and rounded bytes, and what it counts.
static void printTerm(const Twine &name, int64_t bytes, const Twine &remark,
                      llvm::raw_ostream &os) {
  os << formatv("  {0,-16}{1,20:N}{2,14}", name.str(), bytes,
                formatBytes(bytes));
  std::string text = remark.str();
  if (!text.empty())
    os << "  " << text;
  os << '\n';
}

/// A name without control characters. Names come from files, and must not send
/// commands to a terminal.
static std::string getPrintableName(MatrixOp matrix) {
  std::string name;
  llvm::raw_string_ostream os(name);
  llvm::printEscapedString(matrix.getSymName(), os);
  return name;
}

static void printTerms(const ResidencePlan &plan, llvm::raw_ostream &os) {
  printHeading("Bytes", os);
  for (const PlanTerm &term : getPlanTerms(plan))
    printTerm((term.isPart ? "  " : "") + term.name, term.bytes, term.content,
              os);
}

/// Where the budget comes from: what was given, or the terms of an estimate.
static void printBudget(const ResidencePlan &plan, int64_t budgetBytes,
                        const DeviceSpec *device, llvm::raw_ostream &os) {
  if (!device)
    return printTerm("budget", budgetBytes,
                     formatBytes(budgetBytes + plan.spareBytes) +
                         " given, less the spare",
                     os);
  printTerm("memory", device->memoryBytes, "of " + Twine(device->name), os);
  printTerm("less reserve", device->reserveBytes, "for driver and context", os);
  printTerm("less spare", plan.spareBytes, "", os);
  printTerm("budget", budgetBytes, "an estimate: the program asks the device",
            os);
}

static void printPlacement(const ResidencePlan &plan,
                           const Placement &placement,
                           const ReportOptions &options,
                           llvm::raw_ostream &os) {
  os << '\n';
  printHeading("Placement", os);
  size_t moved = placement.getMovedUploads().size();
  printBudget(plan, placement.budgetBytes, options.device, os);
  printTerm("on the device", placement.deviceBytes,
            countUploads(plan.order.size() - moved) + " stay", os);
  if (placement.pageTableBytes != 0)
    printTerm("page tables", placement.pageTableBytes,
              "the driver's, for what is on the host", os);
  std::string limit;
  if (options.hostLimitBytes)
    limit = "; the limit is " + formatBytes(*options.hostLimitBytes);
  printTerm("on the host", placement.hostBytes,
            (moved == 0 ? "nothing moves" : countUploads(moved) + " move") +
                limit,
            os);
  printTerm("left over",
            placement.budgetBytes - placement.deviceBytes -
                placement.pageTableBytes,
            "", os);
  printTerm("read from host", placement.hostStepBytes,
            placement.isProvenOptimal
                ? "by a decode step; no placement reads less"
                : "by a decode step; no placement reads less than " +
                      formatBytes(placement.boundHostStepBytes),
            os);
}

/// Returns the memory spaces of the upload with rank `rank`, and removes its
/// extents from the front of `extents`.
static void printSpaces(int64_t rank, ArrayRef<Extent> &extents,
                        llvm::raw_ostream &os) {
  std::string text;
  llvm::raw_string_ostream textOs(text);
  bool isOnDevice = true;
  for (; !extents.empty() && extents.front().upload == rank;
       extents = extents.drop_front()) {
    textOs << (text.empty() ? "" : ", ") << extents.front().space;
    isOnDevice &= extents.front().space.kind == MemoryKind::Device;
  }
  std::string padded = formatv("{0,-8}  ", text);
  if (isOnDevice)
    os << padded;
  else
    WithColor(os, llvm::raw_ostream::MAGENTA) << padded;
}

static void printOrder(const ResidencePlan &plan,
                       const std::optional<Placement> &placement,
                       int64_t maxRows, llvm::raw_ostream &os) {
  os << '\n';
  printHeading("Order in which matrices leave the device", os);
  os << formatv("  {0,5}  {1,-7} {2,5} {3,16} {4,18}  {5}{6}\n", "rank",
                "class", "read", "bytes", "running total",
                placement ? "space     " : "", "matrix");
  int64_t numUploads = plan.order.size();
  int64_t shown = maxRows == 0 ? numUploads : std::min(maxRows, numUploads);
  int64_t running = 0;
  ArrayRef<Extent> extents;
  if (placement)
    extents = placement->extents;
  for (int64_t rank = 0; rank < shown; ++rank) {
    const Upload &upload = plan.order[rank];
    running += upload.bytes;
    os << formatv("  {0,5}  ", rank);
    WithColor(os, getColor(upload.matrixClass))
        << formatv("{0,-7}", stringifyMatrixClass(upload.matrixClass));
    os << formatv(" {0,5} {1,16:N} {2,18:N}  ", upload.lastRead, upload.bytes,
                  running);
    if (placement)
      printSpaces(rank, extents, os);
    os << getPrintableName(upload.matrix) << '\n';
  }
  if (shown < numUploads)
    os << formatv("  {0} more (--rows 0 shows all)\n", numUploads - shown);
  for (auto [alias, owner] : plan.shares)
    os << "  '" << getPrintableName(alias) << "' shares the upload of '"
       << getPrintableName(owner) << "'\n";
}

void lane::printReport(ProgramOp program, const ResidencePlan &plan,
                       const std::optional<Placement> &placement,
                       const ReportOptions &options, llvm::raw_ostream &os) {
  printHeading(options.title, os);
  for (FormOp form : program.getBody().getOps<FormOp>()) {
    int64_t launches = llvm::count_if(form.getBody().front(),
                                      llvm::IsaPred<LaunchOpInterface>);
    os << "  form " << form.getSymName() << ": "
       << stringifyFormKind(form.getKind()) << ", " << form.getRows()
       << (form.getRows() == 1 ? " row, " : " rows, ") << launches
       << " launches\n";
  }
  os << '\n';
  printTerms(plan, os);
  if (placement)
    printPlacement(plan, *placement, options, os);
  printOrder(plan, placement, options.orderRows, os);
}
