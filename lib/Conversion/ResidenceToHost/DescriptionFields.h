//===- DescriptionFields.h - Fields of the description's rows ---*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Converts rows of the description to lists of values, in the order of their
// fields, for both outputs. lane/Runtime/Description.h has the structures and
// asserts their offsets.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_LIB_CONVERSION_RESIDENCETOHOST_DESCRIPTIONFIELDS_H
#define LANE_LIB_CONVERSION_RESIDENCETOHOST_DESCRIPTIONFIELDS_H

#include "lane/Runtime/Description.h"
#include "llvm/ADT/ArrayRef.h"
#include <type_traits>

namespace lane {

/// The fields of a structure whose fields all have 8 bytes.
template <typename RowT>
llvm::ArrayRef<int64_t> getFields(const RowT &row) {
  static_assert(std::is_standard_layout_v<RowT> &&
                    sizeof(RowT) % sizeof(int64_t) == 0,
                "a structure has fields of 8 bytes only");
  return llvm::ArrayRef(reinterpret_cast<const int64_t *>(&row),
                        sizeof(RowT) / sizeof(int64_t));
}

/// The numbers of a description. In its structure, the addresses of the tables
/// follow them.
inline llvm::ArrayRef<int64_t> getNumberFields(const lane_description &value) {
  return getFields(value).take_front(offsetof(lane_description, uploads) /
                                     sizeof(int64_t));
}

} // namespace lane

#endif // LANE_LIB_CONVERSION_RESIDENCETOHOST_DESCRIPTIONFIELDS_H
