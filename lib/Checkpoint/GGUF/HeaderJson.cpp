//===- HeaderJson.cpp - GGUF headers as JSON ------------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Checkpoint/GGUF/HeaderJson.h"
#include "lane/Checkpoint/GGUF/Header.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <cstdlib>
#include <limits>

using namespace llvm;
using namespace lane;
using namespace lane::gguf;

/// Longer arrays are summarized by type and length.
static constexpr uint64_t kMaxListedElements = 8;

/// Prints a number with the fewest digits that read back as the same double, or
/// as the same float if `isSingle`.
static void printNumber(double number, bool isSingle, json::OStream &json) {
  if (!std::isfinite(number)) {
    json.value(std::isnan(number) ? "nan" : number < 0 ? "-inf" : "inf");
    return;
  }
  int digits = isSingle ? std::numeric_limits<float>::digits10
                        : std::numeric_limits<double>::digits10;
  std::string text;
  for (bool isExact = false; !isExact; ++digits) {
    text.clear();
    raw_string_ostream(text) << format("%.*g", digits, number);
    double readBack = std::strtod(text.c_str(), nullptr);
    isExact =
        isSingle ? static_cast<float>(readBack) == number : readBack == number;
  }
  json.rawValue(text);
}

/// Prints the element of an array, or a scalar, that is not a string.
static void printElement(const Value &value, uint64_t index,
                         json::OStream &json) {
  if (std::optional<bool> flag = value.getBool(index))
    return json.value(*flag);
  if (std::optional<int64_t> integer = value.getInteger(index))
    return json.value(*integer);
  if (std::optional<uint64_t> integer = value.getUnsigned(index))
    return json.value(*integer);
  printNumber(*value.getNumber(index),
              value.getElementType() == ValueType::Float32, json);
}

static void printValue(const Value &value, json::OStream &json) {
  if (value.isArray() && value.size() > kMaxListedElements) {
    json.object([&] {
      json.attribute("type", stringifyValueType(value.getElementType()));
      json.attribute("length", value.size());
    });
    return;
  }
  auto printElements = [&] {
    if (value.getElementType() == ValueType::String)
      value.forEachString(
          [&](StringRef text) { json.value(json::fixUTF8(text)); });
    else
      for (uint64_t i = 0; i < value.size(); ++i)
        printElement(value, i, json);
  };
  if (value.isArray())
    json.array(printElements);
  else
    printElements();
}

static void printTensor(const Tensor &tensor, json::OStream &json) {
  json.object([&] {
    json.attribute("name", json::fixUTF8(tensor.name));
    json.attributeArray("shape", [&] {
      for (int64_t dimension : tensor.shape)
        json.value(dimension);
    });
    json.attribute("format", stringifyNumberFormat(tensor.format));
    json.attribute("offset", tensor.offset);
    json.attribute("bytes", tensor.sizeBytes);
  });
}

void gguf::printHeaderJson(const Header &header, raw_ostream &os) {
  json::OStream json(os, /*IndentSize=*/2);
  json.object([&] {
    json.attribute("version", header.getVersion());
    json.attribute("alignment", header.getAlignment());
    json.attribute("data_offset", header.getDataOffset());
    json.attributeObject("metadata", [&] {
      for (const KeyValue &entry : header.getMetadata()) {
        json.attributeBegin(json::fixUTF8(entry.key));
        printValue(entry.value, json);
        json.attributeEnd();
      }
    });
    json.attributeArray("tensors", [&] {
      for (const Tensor &tensor : header.getTensors())
        printTensor(tensor, json);
    });
  });
  os << '\n';
}
