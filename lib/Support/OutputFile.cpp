//===- OutputFile.cpp - Files that are written whole or not ---------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lane/Support/OutputFile.h"
#include "lane/Support/Quote.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace lane;

static constexpr StringLiteral kTemporarySuffix = ".tmp-%%%%%%";

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

/// Names the output "-" or `path`.
static std::string describeOutput(StringRef path) {
  return path == "-" ? "the standard output" : quote(path);
}

static Error refuse(StringRef path, std::string why) {
  if (!why.empty())
    why.front() = toLower(why.front());
  return createStringError("cannot write " + describeOutput(path) + ": " + why);
}

static Error refuse(StringRef path, Error why) {
  return refuse(path, errorToErrorCode(std::move(why)).message());
}

/// Writes what `os` buffers, and fails if not all could be written.
static Error flush(raw_fd_ostream &os, StringRef path) {
  os.flush();
  std::error_code code = os.error();
  os.clear_error();
  return code ? refuse(path, code.message()) : Error::success();
}

//===----------------------------------------------------------------------===//
// Paths
//===----------------------------------------------------------------------===//

/// Whether a rename would replace what must stay: the standard output, a
/// device or a pipe.
static bool isWrittenInPlace(StringRef path) {
  sys::fs::file_status status;
  if (path == "-")
    return true;
  return !sys::fs::status(path, status) && sys::fs::exists(status) &&
         !sys::fs::is_regular_file(status) && !sys::fs::is_directory(status);
}

/// The file that `path` names once links are followed, so that a rename does
/// not replace a link. Fails for a folder, which a rename cannot replace.
static Expected<std::string> getTarget(StringRef path) {
  if (sys::fs::is_directory(path))
    return refuse(path, make_error_code(std::errc::is_a_directory).message());
  SmallString<128> target;
  if (sys::fs::real_path(path, target))
    return path.str();
  return std::string(target);
}

//===----------------------------------------------------------------------===//
// One file
//===----------------------------------------------------------------------===//

Error lane::flushStandardOutput() { return flush(outs(), "-"); }

Error lane::writeFile(StringRef path, StringRef text) {
  if (path == "-") {
    outs() << text;
    return flushStandardOutput();
  }
  if (isWrittenInPlace(path)) {
    std::error_code code;
    raw_fd_ostream os(path, code);
    if (code)
      return refuse(path, code.message());
    os << text;
    return flush(os, path);
  }
  Expected<std::string> target = getTarget(path);
  if (!target)
    return target.takeError();
  Expected<sys::fs::TempFile> file =
      sys::fs::TempFile::create(*target + kTemporarySuffix);
  if (!file)
    return refuse(path, file.takeError());
  Error error = Error::success();
  {
    raw_fd_ostream os(file->FD, /*shouldClose=*/false);
    os << text;
    error = flush(os, path);
  }
  if (error) {
    consumeError(file->discard());
    return error;
  }
  if (Error kept = file->keep(*target))
    return refuse(path, std::move(kept));
  return Error::success();
}

//===----------------------------------------------------------------------===//
// The option -o of MLIR's tools
//===----------------------------------------------------------------------===//

/// Finds the value of `-o` among the arguments. `prefix` is the part of the
/// argument before it, "-o=", or empty. None if the option is not given, or
/// more than once, which the tool reports.
static char **findOutput(MutableArrayRef<char *> args, StringRef &prefix) {
  char **found = nullptr;
  for (size_t index = 1; index < args.size(); ++index) {
    StringRef arg = args[index];
    if (arg == "--")
      break;
    StringRef name = arg.ltrim('-');
    // An argument without a dash is not an option.
    bool isSeparate = name != arg && name == "o" && index + 1 < args.size();
    bool isJoined = name != arg && name.starts_with("o=");
    if (!isSeparate && !isJoined)
      continue;
    if (found)
      return nullptr;
    prefix = isJoined ? arg.take_front(arg.find('=') + 1) : "";
    found = &args[isSeparate ? ++index : index];
  }
  return found;
}

namespace {
/// What the handler of fatal errors prints.
struct OutputName {
  std::string tool, path = "-";
};
} // namespace

/// LLVM's streams report a failed write as a fatal error that names no file.
/// LLVM removes the files and exits after this returns.
static void reportFatalError(void *data, const char *reason, bool) {
  const auto *name = static_cast<const OutputName *>(data);
  StringRef why = reason;
  if (!why.consume_front("IO failure on output stream: ")) {
    errs() << "LLVM ERROR: " << reason << '\n';
    return;
  }
  WithColor::error(errs(), name->tool)
      << toString(refuse(name->path, why.str())) << '\n';
}

int lane::runWithOutputFile(int argc, char **argv,
                            function_ref<int(int, char **)> run) {
  // Static, since streams are destroyed after this returns.
  static OutputName name;
  name.tool = sys::path::filename(argv[0]).str();
  install_fatal_error_handler(reportFatalError, &name);
  SmallVector<char *> args(argv, argv + argc);
  StringRef prefix;
  char **output = findOutput(args, prefix);
  if (!output)
    return run(argc, argv);
  name.path = StringRef(*output).drop_front(prefix.size()).str();
  if (name.path.empty() || isWrittenInPlace(name.path))
    return run(argc, argv);

  auto fail = [&](Error error) {
    WithColor::error(errs(), name.tool) << toString(std::move(error)) << '\n';
    return 1;
  };
  Expected<std::string> target = getTarget(name.path);
  if (!target)
    return fail(target.takeError());
  SmallString<128> temporary;
  if (std::error_code code =
          sys::fs::createUniqueFile(*target + kTemporarySuffix, temporary))
    return fail(refuse(name.path, code.message()));
  // A tool that prints its help exits without a return.
  sys::fs::remove(temporary);
  std::string argument = (prefix + temporary).str();
  *output = argument.data();
  args.push_back(nullptr);
  int status = run(argc, args.data());
  if (status != 0)
    return status;
  // A tool that verifies diagnostics keeps no output.
  if (!sys::fs::exists(temporary))
    return status;
  std::error_code code = sys::fs::rename(temporary, *target);
  if (!code)
    return status;
  sys::fs::remove(temporary);
  return fail(refuse(name.path, code.message()));
}
