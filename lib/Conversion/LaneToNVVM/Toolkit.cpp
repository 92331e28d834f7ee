//===- Toolkit.cpp - Where the CUDA Toolkit is ----------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Toolkit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

using namespace llvm;

std::string lane::findToolkit() {
  for (StringRef name : {"CUDA_ROOT", "CUDA_HOME", "CUDA_PATH"})
    if (std::optional<std::string> path = sys::Process::GetEnv(name))
      if (!path->empty())
        return *path;
  if (ErrorOr<std::string> program = sys::findProgramByName("ptxas")) {
    SmallString<128> path;
    if (!sys::fs::real_path(*program, path)) {
      // TOOLKIT/bin/ptxas.
      StringRef toolkit = sys::path::parent_path(sys::path::parent_path(path));
      SmallString<128> library(toolkit);
      sys::path::append(library, "nvvm", "libdevice");
      if (sys::fs::is_directory(library))
        return toolkit.str();
    }
  }
  StringRef usual = "/usr/local/cuda";
  return sys::fs::is_directory(usual) ? usual.str() : "";
}
