//===- Writer.cpp - Writes safetensors files ------------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Checkpoint/Safetensors/Writer.h"
#include "lane/Support/SafetensorsHeader.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/EndianStream.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MathExtras.h"
#include <tuple>

using namespace llvm;
using namespace lane;
using namespace lane::safetensors;

/// Bytes that the data's start in the file is a multiple of.
static constexpr uint64_t kDataAlignmentBytes = 8;

Error safetensors::checkName(StringRef name) {
  if (name.empty())
    return createStringError("is empty");
  if (name.contains('\0'))
    return createStringError("contains a NUL byte");
  if (!json::isUTF8(name))
    return createStringError("is not UTF-8");
  if (name == "__metadata__")
    return createStringError("is that of the metadata of a safetensors file");
  return Error::success();
}

/// The format's name in the file.
static StringRef getDtypeName(NumberFormat format) {
  for (const Dtype &dtype : kDtypes)
    if (dtype.ggmlType == static_cast<uint32_t>(format))
      return dtype.name;
  llvm_unreachable("safetensors has no type of these elements");
}

static std::string makeHeader(ArrayRef<TensorSource> tensors) {
  std::string header;
  raw_string_ostream os(header);
  json::OStream json(os);
  int64_t end = 0;
  json.object([&] {
    for (const TensorSource &tensor : tensors) {
      json.attributeObject(tensor.name, [&] {
        json.attribute("dtype", getDtypeName(tensor.format));
        json.attributeArray("shape", [&] {
          for (int64_t size : tensor.shape)
            json.value(size);
        });
        json.attributeArray("data_offsets", [&] {
          json.value(end);
          json.value(end += tensor.sizeBytes);
        });
      });
    }
  });
  header.resize(alignTo(header.size(), kDataAlignmentBytes), ' ');
  return header;
}

void safetensors::writeFile(std::vector<TensorSource> tensors,
                            raw_ostream &os) {
  llvm::sort(tensors, [](const TensorSource &lhs, const TensorSource &rhs) {
    return std::make_tuple(-getBlockBytes(lhs.format), StringRef(lhs.name)) <
           std::make_tuple(-getBlockBytes(rhs.format), StringRef(rhs.name));
  });
  std::string header = makeHeader(tensors);
  support::endian::write<uint64_t>(os, header.size(), endianness::little);
  os << header;
  for (const TensorSource &tensor : tensors)
    tensor.writeData(os);
}
