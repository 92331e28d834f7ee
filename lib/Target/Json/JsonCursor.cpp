//===- JsonCursor.cpp - A JSON value and its path -------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JsonCursor.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace lane::json;

/// Programs have a nesting depth of about 8.
static constexpr unsigned kMaxNesting = 64;

std::string JsonCursor::getPath() const {
  if (!parent)
    return "";
  std::string path = parent->getPath();
  if (key.empty())
    return path + "[" + llvm::utostr(index) + "]";
  return (path.empty() ? key : path + "." + key).str();
}

InFlightDiagnostic JsonCursor::emitError() const {
  InFlightDiagnostic diagnostic = mlir::emitError(file);
  if (parent)
    diagnostic << getPath() << ": ";
  return diagnostic;
}

FailureOr<StringRef> JsonCursor::getString() const {
  if (std::optional<StringRef> string = value->getAsString())
    return *string;
  return emitError() << "expected string";
}

FailureOr<int64_t> JsonCursor::getInteger(int64_t least) const {
  std::optional<double> number = value->getAsNumber();
  if (!number)
    return emitError() << "expected integer";
  // A number that was parsed as a float may not fit in int64_t.
  std::optional<uint64_t> exact = value->getAsUINT64();
  if (exact ? *exact > uint64_t(std::numeric_limits<int64_t>::max())
            : *number >= 0x1p63 || *number < -0x1p63)
    return emitError() << "integer overflows int64";
  std::optional<int64_t> integer = value->getAsInteger();
  if (!integer)
    return emitError() << "expected integer";
  if (*integer < least)
    return emitError() << *integer << " is less than " << least;
  return *integer;
}

LogicalResult JsonCursor::forEachElement(
    llvm::function_ref<LogicalResult(const JsonCursor &)> callback) const {
  const llvm::json::Array *array = value->getAsArray();
  if (!array)
    return emitError() << "expected array";
  for (auto [index, element] : llvm::enumerate(*array))
    if (failed(callback(JsonCursor(&element, *this, "", index))))
      return failure();
  return success();
}

FailureOr<JsonCursor> JsonCursor::getMember(StringRef key) const {
  const llvm::json::Object *object = value->getAsObject();
  if (!object)
    return emitError() << "expected object";
  JsonCursor member(object->get(key), *this, key, 0);
  if (!member.value)
    return member.emitError() << "is missing";
  return member;
}

std::optional<JsonCursor> JsonCursor::lookupMember(StringRef key) const {
  const llvm::json::Object *object = value->getAsObject();
  if (!object || !object->get(key))
    return std::nullopt;
  return JsonCursor(object->get(key), *this, key, 0);
}

LogicalResult JsonCursor::read(StringRef key, int64_t &result,
                               int64_t least) const {
  FailureOr<JsonCursor> member = getMember(key);
  if (failed(member))
    return failure();
  FailureOr<int64_t> integer = member->getInteger(least);
  if (failed(integer))
    return failure();
  result = *integer;
  return success();
}

LogicalResult JsonCursor::read(StringRef key, bool &result) const {
  FailureOr<JsonCursor> member = getMember(key);
  if (failed(member))
    return failure();
  std::optional<bool> boolean = member->value->getAsBoolean();
  if (!boolean)
    return member->emitError() << "expected boolean";
  result = *boolean;
  return success();
}

LogicalResult JsonCursor::read(StringRef key, StringRef &result) const {
  FailureOr<JsonCursor> member = getMember(key);
  if (failed(member))
    return failure();
  FailureOr<StringRef> string = member->getString();
  if (failed(string))
    return failure();
  result = *string;
  return success();
}

LogicalResult JsonCursor::readElements(
    StringRef key,
    llvm::function_ref<LogicalResult(const JsonCursor &)> callback) const {
  FailureOr<JsonCursor> member = getMember(key);
  if (failed(member))
    return failure();
  return member->forEachElement(callback);
}

/// Whether arrays and objects in `text` nest deeper than allowed. Brackets in
/// strings do not count.
static bool nestsTooDeep(StringRef text) {
  unsigned depth = 0;
  bool inString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (inString) {
      i += c == '\\';
      inString = c != '"';
    } else if (c == '"') {
      inString = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kMaxNesting)
        return true;
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
  return false;
}

std::optional<llvm::json::Value> lane::json::parseJson(StringRef text,
                                                       Location file) {
  if (nestsTooDeep(text)) {
    emitError(file) << "arrays and objects nest deeper than " << kMaxNesting;
    return std::nullopt;
  }
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (value)
    return std::move(*value);
  emitError(file) << "not valid JSON: " << llvm::toString(value.takeError());
  return std::nullopt;
}
