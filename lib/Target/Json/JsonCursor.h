//===- JsonCursor.h - A JSON value and its path -----------------*- C++ -*-===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads typed values from parsed JSON. A value that is missing or has the wrong
// type is an error that begins with its path: "forms[0].buffers[3].fill.rows:
// expected integer".
//
//===----------------------------------------------------------------------===//

#ifndef LANE_LIB_TARGET_JSON_JSONCURSOR_H
#define LANE_LIB_TARGET_JSON_JSONCURSOR_H

#include "lane/Support/Quote.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/JSON.h"

namespace lane::json {

/// A JSON value and its path. A cursor refers to the cursor of the enclosing
/// value, so it must not outlive it.
class JsonCursor {
public:
  /// The root value of the file at `file`.
  JsonCursor(const llvm::json::Value &value, mlir::Location file)
      : value(&value), file(file) {}

  mlir::Location getLoc() const { return file; }
  /// The path of the value: "forms[0].buffers[3]". Empty for the root.
  std::string getPath() const;
  /// Starts an error that begins with the path.
  mlir::InFlightDiagnostic emitError() const;

  /// The value, which must be a string.
  llvm::FailureOr<llvm::StringRef> getString() const;
  /// An integer of at least `least`.
  llvm::FailureOr<int64_t> getInteger(int64_t least = 0) const;
  /// Calls `callback` on each element of an array until one fails.
  llvm::LogicalResult forEachElement(
      llvm::function_ref<llvm::LogicalResult(const JsonCursor &)> callback)
      const;

  /// The member `key` of an object, which must exist.
  llvm::FailureOr<JsonCursor> getMember(llvm::StringRef key) const;
  /// The member `key` of an object; none if it does not exist.
  std::optional<JsonCursor> lookupMember(llvm::StringRef key) const;

  /// Reads members of an object, which must exist and have the type.
  llvm::LogicalResult read(llvm::StringRef key, int64_t &result,
                           int64_t least = 0) const;
  llvm::LogicalResult read(llvm::StringRef key, bool &result) const;
  llvm::LogicalResult read(llvm::StringRef key, llvm::StringRef &result) const;
  llvm::LogicalResult
  readElements(llvm::StringRef key,
               llvm::function_ref<llvm::LogicalResult(const JsonCursor &)>
                   callback) const;

private:
  JsonCursor(const llvm::json::Value *value, const JsonCursor &parent,
             llvm::StringRef key, size_t index)
      : value(value), file(parent.file), parent(&parent), key(key),
        index(index) {}

  /// Null if the member does not exist, so that the error has its path.
  const llvm::json::Value *value;
  mlir::Location file;
  const JsonCursor *parent = nullptr;
  llvm::StringRef key;
  size_t index = 0;
};

/// Parses `text`. Returns none, after an error at `file`, if it is not JSON, or
/// if it is nested deeper than any program, since the parser recurses.
std::optional<llvm::json::Value> parseJson(llvm::StringRef text,
                                           mlir::Location file);

} // namespace lane::json

#endif // LANE_LIB_TARGET_JSON_JSONCURSOR_H
