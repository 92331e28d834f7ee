//===- KeyReader.cpp - Keys of one architecture ---------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KeyReader.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace lane;
using namespace lane::importer;

int64_t KeyReader::check(StringRef name, int64_t value, int64_t least,
                         int64_t most) {
  if (value >= least && value <= most)
    return value;
  fail(createStringError(
      formatv("{0}: key '{1}{2}' is {3}, expected {4} to {5}", header.getName(),
              prefix, name, value, least, most)
          .str()));
  return least;
}

int64_t KeyReader::getInteger(StringRef name, int64_t least, int64_t most,
                              std::optional<int64_t> fallback) {
  if (fallback && !contains(name))
    return check(name, *fallback, least, most);
  Expected<int64_t> value = header.getInteger(prefix + name.str());
  if (value)
    return check(name, *value, least, most);
  fail(value.takeError());
  return least;
}

SmallVector<int64_t> KeyReader::getPerLayer(StringRef name, int64_t count,
                                            int64_t least, int64_t most,
                                            std::optional<int64_t> fallback) {
  if (fallback && !contains(name))
    return SmallVector<int64_t>(count, *fallback);
  Expected<SmallVector<int64_t>> values =
      header.getIntegers(prefix + name.str(), count);
  if (!values) {
    fail(values.takeError());
    return SmallVector<int64_t>(count, least);
  }
  for (int64_t &value : *values)
    value = check(name, value, least, most);
  return std::move(*values);
}

SmallVector<int64_t> KeyReader::getPattern(StringRef name, int64_t count,
                                           int64_t fallback) {
  const gguf::Value *value = header.lookup(prefix + name.str());
  if (value && value->isArray()) {
    SmallVector<int64_t> flags;
    for (int64_t layer = 0; layer < count; ++layer) {
      std::optional<bool> flag = value->getBool(layer);
      if (!flag)
        if (std::optional<int64_t> number = value->getInteger(layer))
          flag = *number != 0;
      flags.push_back(flag.value_or(false));
      if (!flag) {
        fail(createStringError(formatv("{0}: key '{1}{2}' has {3} flags for "
                                       "{4} layers",
                                       header.getName(), prefix, name,
                                       value->size(), count)
                                   .str()));
        flags.resize(count);
        break;
      }
    }
    return flags;
  }
  return getPeriodic(name, count, fallback);
}

SmallVector<int64_t> KeyReader::getPeriodic(StringRef name, int64_t count,
                                            int64_t fallback) {
  const gguf::Value *value = header.lookup(prefix + name.str());
  int64_t period = value && value->isArray()
                       ? fallback
                       : getInteger(name, 0, kMaxLayers, fallback);
  SmallVector<int64_t> flags;
  for (int64_t layer = 0; layer < count; ++layer)
    flags.push_back(period == 0 || layer % period < period - 1);
  return flags;
}

double KeyReader::getNumber(StringRef name, std::optional<double> fallback) {
  if (fallback && !contains(name))
    return *fallback;
  Expected<double> value = header.getNumber(prefix + name.str());
  if (value)
    return *value;
  fail(value.takeError());
  return 0;
}

bool KeyReader::getBool(StringRef name, bool fallback) {
  Expected<bool> value = header.getBoolOr(prefix + name.str(), fallback);
  if (value)
    return *value;
  fail(value.takeError());
  return fallback;
}

std::string KeyReader::getString(StringRef name, StringRef fallback) {
  if (!contains(name))
    return fallback.str();
  Expected<StringRef> value = header.getString(prefix + name.str());
  if (value)
    return value->str();
  fail(value.takeError());
  return fallback.str();
}
