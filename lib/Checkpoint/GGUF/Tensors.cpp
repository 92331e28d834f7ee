//===- Tensors.cpp - Tensors of GGUF headers ------------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HeaderParser.h"
#include "lane/Support/Bytes.h"
#include "lane/Support/Quote.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace lane;
using namespace lane::gguf;

static constexpr uint32_t kMaxDimensions = 4;
/// One less than ggml's GGML_MAX_NAME, which counts the terminator.
static constexpr uint64_t kMaxTensorNameBytes = 63;

Error HeaderParser::parseTensor(size_t index) {
  Tensor tensor{};
  tensor.headerOffset = position;
  std::string field = ("name of tensor " + Twine(index)).str();
  if (Error error = readString(tensor.name, field))
    return error;
  if (tensor.name.size() > kMaxTensorNameBytes)
    return refuse(tensor.headerOffset, field,
                  Twine(tensor.name.size()) + " bytes (at most " +
                      Twine(kMaxTensorNameBytes) + ")");
  auto [it, isNew] = header.tensorIndices.try_emplace(tensor.name, index);
  if (!isNew)
    return refuse(tensor.headerOffset, field,
                  quote(tensor.name) + " is already defined at offset " +
                      Twine(header.tensors[it->second].headerOffset));

  std::string owner = "tensor " + quote(tensor.name);
  if (Error error = parseShape(tensor, owner))
    return error;
  if (Error error = parseFormat(tensor, owner))
    return error;
  if (Error error = parseOffset(tensor, owner))
    return error;
  header.tensors.push_back(std::move(tensor));
  return Error::success();
}

/// The shape in messages: "[4096 x 32]".
static std::string formatShape(ArrayRef<int64_t> shape) {
  std::string text = "[";
  ListSeparator separator(" x ");
  for (int64_t dimension : shape) {
    text += separator;
    text += std::to_string(dimension);
  }
  return text + "]";
}

/// Elements of the shape; none if they overflow int64.
static std::optional<int64_t> getNumElements(ArrayRef<int64_t> shape) {
  // A factor of 0 makes the product 0, however large the others are.
  if (is_contained(shape, 0))
    return 0;
  std::optional<int64_t> elements = 1;
  for (int64_t dimension : shape)
    if (elements)
      elements = checkedMulBytes(*elements, dimension);
  return elements;
}

Error HeaderParser::parseShape(Tensor &tensor, const Twine &owner) {
  uint64_t start = position;
  uint32_t rank = 0;
  if (Error error = read(rank, "dimension count of " + owner))
    return error;
  if (rank > kMaxDimensions)
    return refuse(start, "dimension count of " + owner,
                  Twine(rank) + " (at most " + Twine(kMaxDimensions) + ")");
  for (uint32_t i = 0; i < rank; ++i) {
    start = position;
    int64_t dimension = 0;
    if (Error error = read(dimension, "dimension " + Twine(i) + " of " + owner))
      return error;
    if (dimension < 0)
      return refuse(start, "dimension " + Twine(i) + " of " + owner,
                    "negative (" + Twine(dimension) + ")");
    tensor.shape.push_back(dimension);
  }
  if (!getNumElements(tensor.shape))
    return refuse(tensor.headerOffset, "shape of " + owner,
                  formatShape(tensor.shape) +
                      ": the element count overflows int64");
  return Error::success();
}

/// Whether the number is in the range where the fork ik_llama.cpp has types of
/// its own.
static bool isForkGgmlType(uint32_t id) { return id >= 97 && id < 400; }

Error HeaderParser::parseFormat(Tensor &tensor, const Twine &owner) {
  uint64_t start = position;
  uint32_t id = 0;
  if (Error error = read(id, "type of " + owner))
    return error;
  if (std::optional<StringRef> removed = getRemovedGgmlTypeName(id))
    return refuse(start, "type of " + owner,
                  "ggml has removed type " + Twine(id) + " (" + *removed + ")");
  std::optional<NumberFormat> format = numberFormatFromGgmlType(id);
  if (!format && isForkGgmlType(id))
    return refuse(start, "type of " + owner,
                  "ggml type " + Twine(id) +
                      " is in the range of ik_llama.cpp's own types, which are "
                      "not supported");
  if (!format)
    return refuse(start, "type of " + owner, "unknown ggml type " + Twine(id));
  tensor.format = *format;

  int64_t columns = tensor.shape.empty() ? 1 : tensor.shape.front();
  int64_t blockElements = getBlockElements(*format);
  if (columns % blockElements != 0)
    return refuse(
        start, "type of " + owner,
        "a row of " + Twine(columns) + " elements is not whole blocks of " +
            Twine(blockElements) + " (" + stringifyNumberFormat(*format) + ")");
  std::optional<int64_t> size = checkedMulBytes(
      *getNumElements(tensor.shape) / blockElements, getBlockBytes(*format));
  if (!size)
    return refuse(start, "type of " + owner,
                  formatShape(tensor.shape) + " of " +
                      stringifyNumberFormat(*format) +
                      ": the byte size overflows int64");
  tensor.sizeBytes = *size;
  return Error::success();
}

Error HeaderParser::parseOffset(Tensor &tensor, const Twine &owner) {
  uint64_t start = position;
  uint64_t offset = 0;
  if (Error error = read(offset, "offset of " + owner))
    return error;
  if (offset != static_cast<uint64_t>(dataBytes))
    return refuse(start, "offset of " + owner,
                  "expected " + Twine(dataBytes) +
                      ", where the tensors before it end, found " +
                      Twine(offset));
  // Relative to the start of the data, until placeTensors adds that.
  tensor.offset = dataBytes;
  std::optional<int64_t> end =
      checkedAddBytes(tensor.sizeBytes, header.alignment - 1);
  if (end)
    end = checkedAddBytes(dataBytes, alignDown(*end, header.alignment));
  if (!end)
    return refuse(start, "offset of " + owner,
                  "the end of its data overflows int64 (" + Twine(dataBytes) +
                      " + " + Twine(tensor.sizeBytes) + ")");
  dataBytes = *end;
  return Error::success();
}

Error HeaderParser::placeTensors() {
  // A file with metadata only ends without padding.
  if (header.tensors.empty()) {
    header.dataOffset = position;
    return Error::success();
  }
  uint64_t dataOffset = alignTo(position, header.alignment);
  if (dataOffset > bytes.size())
    return refuse(position, "padding",
                  "the tensor data starts at " + Twine(dataOffset) +
                      ", past the end of the file (" + Twine(bytes.size()) +
                      " bytes)");
  header.dataOffset = dataOffset;
  if (!checkedAddBytes(header.dataOffset, dataBytes))
    return refuse(dataOffset, "tensor data",
                  "the end of its " + Twine(dataBytes) +
                      " bytes overflows int64");
  for (Tensor &tensor : header.tensors)
    tensor.offset += header.dataOffset;
  return Error::success();
}
