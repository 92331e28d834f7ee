//===- SafetensorsHeader.h - Headers of safetensors files -------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the header of a safetensors file. The compiler and the generated
// program both run this, so that they accept the same files. The layout is
//
//   u64 length of the header, little-endian
//   the header, an object in JSON, padded with white space at its end:
//     "NAME": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, ...
//     "__metadata__": {"KEY": "VALUE", ...}
//   the data of the tensors, one after the other
//
// The file is not trusted. The rules are those of the format's reference, the
// crate `safetensors`. A header that it reads but that has two readings is
// refused: one with a key twice, with a key of a tensor that the format does
// not define, or with white space before it.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_SUPPORT_SAFETENSORSHEADER_H
#define LANE_SUPPORT_SAFETENSORSHEADER_H

#include "lane/Support/JsonReader.h"
#include <algorithm>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace lane::safetensors {

/// Bytes of the length before the header.
inline constexpr uint64_t kLengthBytes = 8;
/// The most bytes of a header.
inline constexpr uint64_t kMaxHeaderBytes = 100000000;
/// Stands for the id of a ggml type where there is none.
inline constexpr uint32_t kNoGgmlType = UINT32_MAX;

/// A type of elements.
struct Dtype {
  const char *name;
  uint32_t bits;
  /// The id of ggml's type with these elements, or `kNoGgmlType`.
  uint32_t ggmlType;
};

/// All types of the format.
inline constexpr Dtype kDtypes[] = {
    {"F32", 32, 0},
    {"F16", 16, 1},
    {"BF16", 16, 30},
    {"F64", 64, 28},
    {"I8", 8, 24},
    {"I16", 16, 25},
    {"I32", 32, 26},
    {"I64", 64, 27},
    {"BOOL", 8, kNoGgmlType},
    {"U8", 8, kNoGgmlType},
    {"U16", 16, kNoGgmlType},
    {"U32", 32, kNoGgmlType},
    {"U64", 64, kNoGgmlType},
    {"C64", 64, kNoGgmlType},
    {"F8_E4M3", 8, kNoGgmlType},
    {"F8_E5M2", 8, kNoGgmlType},
    {"F8_E8M0", 8, kNoGgmlType},
    {"F8_E4M3FNUZ", 8, kNoGgmlType},
    {"F8_E5M2FNUZ", 8, kNoGgmlType},
    {"F6_E2M3", 6, kNoGgmlType},
    {"F6_E3M2", 6, kNoGgmlType},
    {"F4", 4, kNoGgmlType},
};

struct Tensor {
  std::string name;
  const Dtype *dtype = nullptr;
  /// The last dimension is contiguous.
  std::vector<uint64_t> shape;
  /// Bytes from the data's start to the tensor's first byte and past its last.
  uint64_t begin = 0;
  uint64_t end = 0;
  /// Bytes from the file's start to the description, for messages.
  uint64_t headerOffset = 0;
};

/// The length of a header, from the file's first eight bytes.
inline uint64_t getHeaderBytes(const char *start) {
  uint64_t bytes = 0;
  for (int i = 7; i >= 0; --i)
    bytes = bytes << 8 | static_cast<unsigned char>(start[i]);
  return bytes;
}

/// Whether a file with these first nine bytes has the format: what precedes
/// `{` is the length of a header that the file holds.
inline bool isHeaderStart(const char *start, uint64_t fileBytes) {
  uint64_t bytes = getHeaderBytes(start);
  return bytes > 0 && bytes <= kMaxHeaderBytes && kLengthBytes <= fileBytes &&
         bytes <= fileBytes - kLengthBytes && start[kLengthBytes] == '{';
}

/// Parses the header of one file.
class HeaderParser {
public:
  /// A parser of the `headerBytes` bytes at `text`, which are the header of a
  /// file of `fileBytes` bytes and must outlive it.
  HeaderParser(const char *text, uint64_t headerBytes, uint64_t fileBytes)
      : json(text, headerBytes),
        dataBytes(fileBytes - kLengthBytes - headerBytes) {}

  /// Parses the tensors, and sorts them by the place of their data. Returns an
  /// empty text, or one line that tells what is wrong at which offset in the
  /// file.
  std::string parse(std::vector<Tensor> &tensors);

private:
  bool parseHeader(std::vector<Tensor> &tensors);
  bool parseMetadata();
  bool parseTensor(Tensor &tensor);
  bool parseDtype(Tensor &tensor);
  bool parseOffsets(Tensor &tensor);
  bool checkData(const std::vector<Tensor> &tensors);
  bool checkBytes(const Tensor &tensor);
  bool refuse(const Tensor &tensor, const std::string &why);

  JsonReader json;
  uint64_t dataBytes;
  /// What is parsed, for messages.
  std::string field = "header";
};

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

inline bool HeaderParser::parseDtype(Tensor &tensor) {
  std::string name;
  size_t position = json.getValuePosition();
  if (!json.readString(name))
    return false;
  for (const Dtype &dtype : kDtypes)
    if (dtype.name == name)
      tensor.dtype = &dtype;
  return tensor.dtype ||
         json.failAt(position, "unknown dtype " + quoteText(name));
}

inline bool HeaderParser::parseOffsets(Tensor &tensor) {
  size_t position = json.getValuePosition();
  uint64_t *const values[] = {&tensor.begin, &tensor.end};
  size_t count = 0;
  auto refuse = [&] {
    return json.failAt(position, "expected two data_offsets");
  };
  if (!json.readArray([&] {
        return count < 2 ? json.readUnsigned(*values[count++]) : refuse();
      }))
    return false;
  return count == 2 || refuse();
}

inline bool HeaderParser::parseTensor(Tensor &tensor) {
  size_t position = json.getValuePosition();
  tensor.headerOffset = kLengthBytes + position;
  bool hasShape = false;
  bool hasOffsets = false;
  auto parseMember = [&](const std::string &key) {
    if (key == "dtype")
      return parseDtype(tensor);
    if (key == "data_offsets") {
      hasOffsets = true;
      return parseOffsets(tensor);
    }
    if (key != "shape")
      return json.fail("unknown key " + quoteText(key));
    hasShape = true;
    return json.readArray([&] {
      tensor.shape.push_back(0);
      return json.readUnsigned(tensor.shape.back());
    });
  };
  if (!json.readObject(parseMember))
    return false;
  if (!tensor.dtype)
    return json.failAt(position, "has no dtype");
  if (!hasShape)
    return json.failAt(position, "has no shape");
  return hasOffsets || json.failAt(position, "has no data_offsets");
}

/// The shape and the type, as in "2x3xF32"; only the first of many dimensions.
inline std::string describe(const Tensor &tensor) {
  constexpr size_t kMostDimensions = 8;
  std::string text;
  size_t count = std::min(tensor.shape.size(), kMostDimensions);
  for (size_t i = 0; i < count; ++i)
    text += std::to_string(tensor.shape[i]) + "x";
  return text + (count < tensor.shape.size() ? "...x" : "") +
         tensor.dtype->name;
}

/// Fails at the description of `tensor`.
inline bool HeaderParser::refuse(const Tensor &tensor, const std::string &why) {
  field = "tensor " + quoteText(tensor.name);
  return json.failAt(tensor.headerOffset - kLengthBytes, why);
}

/// Checks that the data has the bytes of the shape and the type.
inline bool HeaderParser::checkBytes(const Tensor &tensor) {
  uint64_t elements = 1;
  for (uint64_t size : tensor.shape) {
    if (size != 0 && elements > UINT64_MAX / size)
      return refuse(tensor, "the elements of " + describe(tensor) +
                                " overflow 64 bits");
    elements *= size;
  }
  uint64_t bits = tensor.dtype->bits;
  if (elements > UINT64_MAX / bits)
    return refuse(tensor,
                  "the bits of " + describe(tensor) + " overflow 64 bits");
  if (elements * bits % 8 != 0)
    return refuse(tensor, describe(tensor) + " does not fill whole bytes");
  uint64_t bytes = tensor.end - tensor.begin;
  return bytes == elements * bits / 8 ||
         refuse(tensor, "data_offsets have " + std::to_string(bytes) +
                            " bytes, but " + describe(tensor) + " has " +
                            std::to_string(elements * bits / 8));
}

/// Checks that the tensors, in the order of their data, fill it without holes.
inline bool HeaderParser::checkData(const std::vector<Tensor> &tensors) {
  uint64_t end = 0;
  for (const Tensor &tensor : tensors) {
    if (tensor.begin != end)
      return refuse(tensor, "data_offsets start at " +
                                std::to_string(tensor.begin) + ", expected " +
                                std::to_string(end));
    if (tensor.end < tensor.begin)
      return refuse(
          tensor, "data_offsets end at " + std::to_string(tensor.end) +
                      ", before they start at " + std::to_string(tensor.begin));
    if (!checkBytes(tensor))
      return false;
    end = tensor.end;
  }
  return end == dataBytes ||
         json.failAt(0, "the tensors have " + std::to_string(end) +
                            " bytes, but the file has " +
                            std::to_string(dataBytes) + " after the header");
}

//===----------------------------------------------------------------------===//
// The header
//===----------------------------------------------------------------------===//

inline bool HeaderParser::parseMetadata() {
  std::string value;
  return json.readObject(
      [&](const std::string &) { return json.readString(value); });
}

inline bool HeaderParser::parseHeader(std::vector<Tensor> &tensors) {
  auto parseMember = [&](const std::string &name) {
    if (name == "__metadata__")
      return parseMetadata();
    Tensor tensor;
    tensor.name = name;
    if (!parseTensor(tensor)) {
      field = "tensor " + quoteText(name);
      return false;
    }
    tensors.push_back(std::move(tensor));
    return true;
  };
  if (json.getValuePosition() != 0)
    return json.failAt(0, "expected '{'");
  return json.readObject(parseMember) && json.readEnd();
}

inline std::string HeaderParser::parse(std::vector<Tensor> &tensors) {
  bool isValid = parseHeader(tensors);
  if (isValid) {
    std::sort(tensors.begin(), tensors.end(),
              [](const Tensor &lhs, const Tensor &rhs) {
                return std::tie(lhs.begin, lhs.end, lhs.headerOffset) <
                       std::tie(rhs.begin, rhs.end, rhs.headerOffset);
              });
    isValid = checkData(tensors);
  }
  if (isValid)
    return {};
  return field + " at offset " +
         std::to_string(kLengthBytes + json.getPosition()) + ": " +
         json.getError();
}

} // namespace lane::safetensors

#endif // LANE_SUPPORT_SAFETENSORSHEADER_H
