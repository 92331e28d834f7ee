//===- SweepReport.cpp - Prints a sweep of budgets ------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Target/Report/SweepReport.h"
#include "lane/Support/Bytes.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;
using namespace lane;

static double getSeconds(const SweepReport &report,
                         const Placement &placement) {
  return estimateStepSeconds(report.problem, placement, report.speed);
}

/// The columns of a policy in the table: moved, bytes and ms.
static void printPolicy(const SweepReport &report, const Placement &placement,
                        raw_ostream &os) {
  if (report.problem.exceedsHostLimit(placement.hostBytes)) {
    os << formatv("  {0,30}",
                  "refused: " + formatBytes(placement.hostBytes) + " on host");
    return;
  }
  os << formatv("  {0,6}{1,14}{2,10:F2}", placement.getMovedUploads().size(),
                formatBytes(placement.hostStepBytes),
                getSeconds(report, placement) * 1e3);
}

void lane::printSweep(const SweepReport &report, raw_ostream &os) {
  auto printHeading = [&](const Twine &text) {
    WithColor(os, raw_ostream::SAVEDCOLOR, /*Bold=*/true) << text;
    os << '\n';
  };
  printHeading(report.title);
  os << formatv("  weights that a step reads, at {0} and {1} a second: {2}\n",
                formatBytes(report.speed.memoryBytesPerSecond),
                formatBytes(report.speed.linkBytesPerSecond),
                report.deviceName);
  if (report.problem.hostLimitBytes)
    os << "  at most " << formatBytes(*report.problem.hostLimitBytes)
       << " on the host\n";
  os << '\n';
  printHeading("What a step reads from the host at each budget");
  os << formatv("  {0,14}  {1,30}  {2,30}  {3,14}\n", "", "last-read      ",
                "least-traffic    ", "bound")
     << formatv("  {0,14}", "budget");
  for (int policy = 0; policy < 2; ++policy)
    os << formatv("  {0,6}{1,14}{2,10}", "moved", "bytes", "ms");
  os << formatv("  {0,14}\n", "bytes");
  for (const SweepPoint &point : report.points) {
    os << formatv("  {0,14}", formatBytes(point.lastRead.budgetBytes));
    for (const Placement *placement : {&point.lastRead, &point.leastTraffic})
      printPolicy(report, *placement, os);
    bool isOptimal =
        point.leastTraffic.isProvenOptimal ||
        report.problem.exceedsHostLimit(point.leastTraffic.hostBytes);
    os << formatv("  {0,14}{1}\n",
                  formatBytes(point.leastTraffic.boundHostStepBytes),
                  isOptimal ? "" : "  not proven optimal");
  }
}

void lane::printSweepJson(const SweepReport &report, raw_ostream &os) {
  json::OStream json(os, /*IndentSize=*/2);
  auto printPolicy = [&](StringRef name, const Placement &placement) {
    json.attributeObject(name, [&] {
      if (Error error = report.problem.checkHostBytes(placement.hostBytes)) {
        json.attribute("refused", toString(std::move(error)));
        return;
      }
      json.attribute("device_bytes", placement.deviceBytes);
      json.attribute("host_bytes", placement.hostBytes);
      json.attribute("moved",
                     static_cast<int64_t>(placement.getMovedUploads().size()));
      json.attribute("host_step_bytes", placement.hostStepBytes);
      json.attribute("step_seconds", getSeconds(report, placement));
      json.attribute("exact", placement.isProvenOptimal);
    });
  };
  json.object([&] {
    json.attributeObject("device", [&] {
      json.attribute("name", report.deviceName);
      json.attribute("memory_bytes_per_second",
                     report.speed.memoryBytesPerSecond);
      json.attribute("link_bytes_per_second", report.speed.linkBytesPerSecond);
    });
    json.attributeArray("sweep", [&] {
      for (const SweepPoint &point : report.points)
        json.object([&] {
          json.attribute("budget", point.lastRead.budgetBytes);
          json.attribute("bound_host_step_bytes",
                         point.leastTraffic.boundHostStepBytes);
          printPolicy("last_read", point.lastRead);
          printPolicy("least_traffic", point.leastTraffic);
        });
    });
  });
  os << '\n';
}

void lane::printSweepCsv(const SweepReport &report, raw_ostream &os) {
  os << "budget,bound_host_step_bytes";
  for (StringRef policy : {"last_read", "least_traffic"})
    for (StringRef field : {"device_bytes", "host_bytes", "moved",
                            "host_step_bytes", "step_seconds"})
      os << ',' << policy << '_' << field;
  os << '\n';
  for (const SweepPoint &point : report.points) {
    os << point.lastRead.budgetBytes << ','
       << point.leastTraffic.boundHostStepBytes;
    for (const Placement *placement : {&point.lastRead, &point.leastTraffic}) {
      if (report.problem.exceedsHostLimit(placement->hostBytes)) {
        os << ",,,,,";
        continue;
      }
      os << ',' << placement->deviceBytes << ',' << placement->hostBytes << ','
         << placement->getMovedUploads().size() << ','
         << placement->hostStepBytes << ','
         << formatv("{0:F9}", getSeconds(report, *placement));
    }
    os << '\n';
  }
}
