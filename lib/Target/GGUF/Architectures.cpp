//===- Architectures.cpp - Model architectures as data --------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Architectures.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace lane;
using namespace lane::importer;

static constexpr Architecture kArchitectures[] = {
    {"llama", RopeKind::Normal, /*attentionBias=*/Presence::WhereGiven,
     /*headNorms=*/Presence::Never, /*experts=*/Presence::WhereGiven},
    {"qwen2", RopeKind::Neox, /*attentionBias=*/Presence::Always,
     /*headNorms=*/Presence::Never, /*experts=*/Presence::Never},
    {"qwen3", RopeKind::Neox, /*attentionBias=*/Presence::WhereGiven,
     /*headNorms=*/Presence::Always, /*experts=*/Presence::Never},
    {"qwen3moe", RopeKind::Neox, /*attentionBias=*/Presence::WhereGiven,
     /*headNorms=*/Presence::Always, /*experts=*/Presence::Always},
};

const Architecture *lane::importer::lookupArchitecture(StringRef name) {
  for (const Architecture &architecture : kArchitectures)
    if (architecture.name == name)
      return &architecture;
  return nullptr;
}

std::string lane::importer::getArchitectureNames() {
  return join(map_range(kArchitectures,
                        [](const Architecture &architecture) {
                          return architecture.name.str();
                        }),
              ", ");
}
