//===- DescriptionFields.h - Fields of the description's rows ---*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The values of a row in the order of its fields, for both outputs. The
// structure itself is in lane/Runtime/Description.h, which asserts its offsets.
//
//===----------------------------------------------------------------------===//

#ifndef LANE_LIB_CONVERSION_RESIDENCETOHOST_DESCRIPTIONFIELDS_H
#define LANE_LIB_CONVERSION_RESIDENCETOHOST_DESCRIPTIONFIELDS_H

#include "lane/Runtime/Description.h"
#include "llvm/ADT/ArrayRef.h"
#include <type_traits>

namespace lane {

/// The fields of a structure with fields of 8 bytes only.
template <typename RowT>
llvm::ArrayRef<int64_t> getFields(const RowT &row) {
  static_assert(std::is_standard_layout_v<RowT> &&
                    sizeof(RowT) % sizeof(int64_t) == 0,
                "a structure has fields of 8 bytes only");
  return llvm::ArrayRef(reinterpret_cast<const int64_t *>(&row),
                        sizeof(RowT) / sizeof(int64_t));
}

/// The numbers of a description, which its structure has before the addresses
/// of the tables.
inline llvm::ArrayRef<int64_t> getNumberFields(const lane_description &value) {
  return getFields(value).take_front(offsetof(lane_description, uploads) /
                                     sizeof(int64_t));
}

} // namespace lane

#endif // LANE_LIB_CONVERSION_RESIDENCETOHOST_DESCRIPTIONFIELDS_H
