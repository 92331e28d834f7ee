//===- WriteCpp.cpp - The generated program as files ----------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WriteCpp.h"
#include "lane/Conversion/Passes.h"
#include "lane/Support/OutputFile.h"
#include "lane/Target/Cpp/EmitCpp.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace lane;

static LogicalResult writeCppFile(ModuleOp module, CppFile file,
                                  StringRef path) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (failed(emitCpp(module, file, os)))
    return failure();
  if (llvm::Error error = writeFile(path, text))
    return emitError(UnknownLoc::get(module.getContext()))
           << llvm::toString(std::move(error));
  return success();
}

FailureOr<std::string> lane::writeCpp(ModuleOp module, StringRef folder,
                                      HostPolicy policy) {
  OwningOpRef<ModuleOp> copy = module.clone();
  MLIRContext *ctx = module.getContext();
  PassManager lower(ctx);
  lower.addPass(createResidenceToHostPass({HostTarget::Cpp, policy}));
  if (failed(lower.run(*copy)))
    return failure();
  SmallString<128> stem(folder);
  llvm::sys::path::append(stem, getCppFileStem(*copy));
  if (std::error_code code = llvm::sys::fs::create_directories(folder)) {
    emitError(UnknownLoc::get(ctx))
        << folder << ": cannot be created: " << code.message();
    return failure();
  }
  if (failed(writeCppFile(*copy, CppFile::Header, (stem + ".h").str())) ||
      failed(writeCppFile(*copy, CppFile::Source, (stem + ".cpp").str())))
    return failure();
  return std::string(stem);
}
