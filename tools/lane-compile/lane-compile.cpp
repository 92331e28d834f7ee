//===- lane-compile.cpp - Compiles a model with one command ---------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads a module of upstream's dialects, plans it, and writes an object that
// opens, runs and closes it.
//
//===----------------------------------------------------------------------===//

#include "../Diagnostics.h"
#include "CompileModule.h"
#include "LoadModule.h"
#include "lane/Support/Version.h"
#include "lane/Target/Object/CompileProgram.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace lane;
namespace cl = llvm::cl;

static const char *const kHelp =
    "\nExample:\n"
    "  lane-compile model.mlir --checkpoint model.safetensors -o model.o \\\n"
    "    --header model.h --chip sm_90\n"
    "  cc -c main.c && c++ main.o model.o libLaneRuntime.a -lcudart -o main\n";

/// Writes the object and the header, or neither: each is renamed once both are
/// complete.
static llvm::Error writeFiles(const CompiledModule &compiled,
                              const Options &options) {
  auto writeHeader = [&]() -> llvm::Error {
    if (!options.isGiven(options.header))
      return llvm::Error::success();
    return llvm::writeToOutput(options.header, [&](llvm::raw_ostream &os) {
      os << compiled.header;
      return llvm::Error::success();
    });
  };
  return llvm::writeToOutput(options.output, [&](llvm::raw_ostream &os) {
    os.write(compiled.object.data(), compiled.object.size());
    // The file is closed before its stream if the header fails.
    os.flush();
    return writeHeader();
  });
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  registerVersionPrinter();
  Options options;
  cl::extrahelp example(kHelp);
  cl::HideUnrelatedOptions({&options.category, &llvm::getColorCategory()});
  cl::ParseCommandLineOptions(
      argc, argv,
      "Compiles a model in upstream's dialects to an object and a C header\n");
  if (llvm::Error error = options.check())
    return fail("lane-compile", std::move(error));

  DialectRegistry registry;
  registerInputDialects(registry);
  registerCompileDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  ScopedDiagnosticHandler handler(&context, [](Diagnostic &diagnostic) {
    return printDiagnostic("lane-compile", diagnostic);
  });
  context.printOpOnDiagnostic(false);

  OwningOpRef<ModuleOp> module = loadModule(options, &context);
  if (!module)
    return 1;
  FailureOr<CompiledModule> compiled = compileModule(*module, options);
  if (failed(compiled))
    return 1;
  if (llvm::Error error = writeFiles(*compiled, options))
    return fail("lane-compile", std::move(error));
  llvm::outs() << compiled->report;
}
