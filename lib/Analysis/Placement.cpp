//===- Placement.cpp - How far down the order to go -----------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Analysis/Placement.h"
#include "lane/Support/Bytes.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace lane;

Error PlacementProblem::check() const {
  int64_t sum = 0;
  auto add = [&](int64_t bytes, const Twine &what) -> Error {
    if (bytes < 0)
      return createStringError(what + " has " + Twine(bytes) + " bytes");
    std::optional<int64_t> next = checkedAddBytes(sum, bytes);
    if (!next)
      return createStringError("the bytes pass 2^63 at " + what);
    sum = *next;
    return Error::success();
  };
  if (Error error = add(arenaBytes, "the arena"))
    return error;
  if (Error error = add(fixedBytes, "the fixed part"))
    return error;
  for (size_t index = 0; index < uploadBytes.size(); ++index)
    if (Error error = add(uploadBytes[index], "upload " + Twine(index)))
      return error;
  return Error::success();
}

int64_t PlacementProblem::getWholeBytes() const {
  int64_t sum = getPinnedBytes();
  for (int64_t bytes : uploadBytes)
    sum += bytes;
  return sum;
}

Expected<Placement> lane::placeInOrder(const PlacementProblem &problem,
                                       int64_t budgetBytes) {
  if (problem.getPinnedBytes() > budgetBytes)
    return createStringError(
        formatv("the program needs {0} bytes on the device at least, but the "
                "budget is {1} bytes",
                problem.getPinnedBytes(), budgetBytes)
            .str());
  Placement placement;
  placement.budgetBytes = budgetBytes;
  placement.deviceBytes = problem.getWholeBytes();
  for (int64_t bytes : problem.uploadBytes) {
    if (placement.deviceBytes <= budgetBytes)
      break;
    placement.deviceBytes -= bytes;
    placement.hostBytes += bytes;
    ++placement.moved;
  }
  return placement;
}

Error lane::verifyPlacement(const PlacementProblem &problem,
                            const Placement &placement) {
  int64_t numUploads = problem.uploadBytes.size();
  if (placement.moved < 0 || placement.moved > numUploads)
    return createStringError(
        formatv("{0} of {1} uploads moved", placement.moved, numUploads).str());
  int64_t hostBytes = 0;
  for (int64_t bytes :
       ArrayRef(problem.uploadBytes).take_front(placement.moved))
    hostBytes += bytes;
  if (hostBytes != placement.hostBytes)
    return createStringError(
        formatv("host bytes are {0}, but the uploads moved "
                "have {1}",
                placement.hostBytes, hostBytes)
            .str());
  int64_t deviceBytes = problem.getWholeBytes() - hostBytes;
  if (deviceBytes != placement.deviceBytes)
    return createStringError(formatv("device bytes are {0}, but what stays has "
                                     "{1}",
                                     placement.deviceBytes, deviceBytes)
                                 .str());
  if (deviceBytes > placement.budgetBytes)
    return createStringError(
        formatv("device bytes {0} exceed the budget of {1}", deviceBytes,
                placement.budgetBytes)
            .str());
  if (placement.moved == 0)
    return Error::success();
  int64_t last = problem.uploadBytes[placement.moved - 1];
  if (deviceBytes + last <= placement.budgetBytes)
    return createStringError(formatv("upload {0} of {1} bytes moved though the "
                                     "budget of {2} has room for it",
                                     placement.moved - 1, last,
                                     placement.budgetBytes)
                                 .str());
  return Error::success();
}
