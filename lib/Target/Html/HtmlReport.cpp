//===- HtmlReport.cpp - HTML page of a plan -------------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Target/Html/HtmlReport.h"
#include "../Report/PlanTerms.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

#include "HtmlReportText.inc"

using namespace mlir;
using namespace lane;
using llvm::json::fixUTF8; // Names come from files and may have any bytes.
using llvm::json::OStream;

static void printTerms(const ResidencePlan &plan, OStream &json) {
  json.attributeArray("terms", [&] {
    for (const PlanTerm &term : getPlanTerms(plan))
      json.object([&] {
        json.attribute("name", term.name);
        json.attribute("bytes", term.bytes);
        json.attribute("content", term.content);
        json.attribute("part", term.isPart);
        json.attribute("resident", term.isResident);
      });
  });
}

static void printForms(ProgramOp program, OStream &json) {
  json.attributeArray("forms", [&] {
    for (FormOp form : program.getBody().getOps<FormOp>())
      json.object([&] {
        json.attribute("name", fixUTF8(form.getSymName()));
        json.attribute("kind", stringifyFormKind(form.getKind()));
        json.attribute("rows", form.getRows());
        json.attribute("launches",
                       llvm::count_if(form.getBody().front(),
                                      llvm::IsaPred<LaunchOpInterface>));
      });
  });
}

static void printUploads(const ResidencePlan &plan, ArrayRef<int64_t> stepBytes,
                         OStream &json) {
  json.attributeArray("uploads", [&] {
    for (auto [upload, step] : llvm::zip_equal(plan.order, stepBytes)) {
      MatrixOp matrix = upload.matrix;
      MatrixType type = matrix.getType();
      json.arrayBegin();
      json.value(fixUTF8(matrix.getSymName()));
      std::string shape;
      llvm::raw_string_ostream os(shape);
      llvm::interleave(type.getShape(), os, " x ");
      json.value(shape);
      json.value(stringifyNumberFormat(type.getFormat()));
      json.value(stringifyMatrixClass(upload.matrixClass));
      json.value(upload.bytes);
      json.value(upload.lastRead);
      json.value(step);
      json.arrayEnd();
    }
  });
  json.attributeArray("shares", [&] {
    for (auto [alias, owner] : plan.shares) {
      json.arrayBegin();
      json.value(fixUTF8(MatrixOp(alias).getSymName()));
      json.value(fixUTF8(MatrixOp(owner).getSymName()));
      json.arrayEnd();
    }
  });
}

/// Which uploads are on the host, as one bit each, starting with the lowest bit
/// of the first hex digit.
static std::string getHostBits(ArrayRef<int64_t> moved, size_t numUploads) {
  SmallVector<unsigned> digits((numUploads + 3) / 4);
  for (int64_t rank : moved)
    digits[rank / 4] |= 1u << (rank % 4);
  std::string text;
  for (unsigned digit : digits)
    text += llvm::hexdigit(digit, /*LowerCase=*/true);
  return text;
}

static void printPoints(const SweepReport &sweep, size_t numUploads,
                        OStream &json) {
  bool hasSpeed = sweep.speed.memoryBytesPerSecond != 0 &&
                  sweep.speed.linkBytesPerSecond != 0;
  auto printPolicy = [&](StringRef name, const Placement &placement,
                         bool isPrefix) {
    json.attributeObject(name, [&] {
      json.attribute("device_bytes", placement.deviceBytes);
      json.attribute("host_bytes", placement.hostBytes);
      if (sweep.problem.countsPageTables)
        json.attribute("page_table_bytes", placement.pageTableBytes);
      json.attribute("moved", int64_t(placement.getMovedUploads().size()));
      json.attribute("host_step_bytes", placement.hostStepBytes);
      if (hasSpeed)
        json.attribute(
            "step_seconds",
            estimateStepSeconds(sweep.problem, placement, sweep.speed));
      json.attribute("exact", placement.isProvenOptimal);
      if (!isPrefix)
        json.attribute("host",
                       getHostBits(placement.getMovedUploads(), numUploads));
    });
  };
  json.attributeObject("device", [&] {
    json.attribute("name", fixUTF8(sweep.deviceName));
    json.attribute("memory_bytes_per_second",
                   hasSpeed ? sweep.speed.memoryBytesPerSecond : 0);
    json.attribute("link_bytes_per_second", sweep.speed.linkBytesPerSecond);
  });
  json.attributeArray("points", [&] {
    for (const SweepPoint &point : sweep.points)
      json.object([&] {
        json.attribute("budget", point.lastRead.budgetBytes);
        json.attribute("bound_host_step_bytes",
                       point.leastTraffic.boundHostStepBytes);
        printPolicy("last_read", point.lastRead, /*isPrefix=*/true);
        printPolicy("least_traffic", point.leastTraffic, /*isPrefix=*/false);
      });
  });
}

static std::string getData(ProgramOp program, const ResidencePlan &plan,
                           const HtmlReport &report) {
  std::string data;
  llvm::raw_string_ostream os(data);
  OStream json(os);
  json.object([&] {
    printForms(program, json);
    printTerms(plan, json);
    printUploads(plan, report.sweep.problem.stepBytes, json);
    printPoints(report.sweep, plan.order.size(), json);
    if (report.sweep.problem.hostLimitBytes)
      json.attribute("host_limit_bytes", *report.sweep.problem.hostLimitBytes);
    json.attribute("start", report.startPoint);
    json.attribute("policy", report.startPolicy == PlacementPolicy::LastRead
                                 ? "last_read"
                                 : "least_traffic");
  });
  // Escape '<', which only occurs in strings, so that none ends the script.
  std::string escaped;
  for (char c : data)
    if (c == '<')
      escaped += "\\u003c";
    else
      escaped += c;
  return escaped;
}

void lane::printHtmlReport(ProgramOp program, const ResidencePlan &plan,
                           const HtmlReport &report, llvm::raw_ostream &os) {
  StringRef rest = kReportHtml;
  while (true) {
    auto [text, tail] = rest.split("{{");
    os << text;
    if (tail.empty())
      return;
    StringRef name;
    std::tie(name, rest) = tail.split("}}");
    if (name == "TITLE")
      llvm::printHTMLEscaped(fixUTF8(report.sweep.title), os);
    else if (name == "STYLE")
      os << kReportCss;
    else if (name == "D3")
      os << "/*\n" << kD3License << "*/\n" << kD3;
    else if (name == "SCRIPT")
      os << kReportJs;
    else
      os << getData(program, plan, report);
  }
}
