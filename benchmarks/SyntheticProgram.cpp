//===- SyntheticProgram.cpp - Programs of any size ------------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SyntheticProgram.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FormatVariadic.h"

using llvm::formatv;
using llvm::StringRef;

static constexpr StringRef kRow = "!lane.buffer<1x256xf32>";
static constexpr StringRef kScores = "!lane.buffer<1x8xf32>";
static constexpr StringRef kCache = "!lane.buffer<64x256xf16>";
static constexpr StringRef kPosition = "!lane.buffer<1xi32>";
static constexpr StringRef kSquare = "!lane.matrix<256x256xq4_K>";
static constexpr StringRef kRouter = "!lane.matrix<8x256xf32>";
static constexpr StringRef kStack = "!lane.matrix<8x256x256xq4_K>";

namespace {
/// Writes the symbols of a program and its decode form in parallel.
class Writer {
public:
  void writeLayer(int64_t layer);
  std::string finish() const;
  int64_t getNumLaunches() const { return numLaunches; }

private:
  /// Each method returns the name of the value that it defines.
  std::string matrix(const std::string &name, StringRef type, int64_t rows);
  std::string alloc(const std::string &name, StringRef type = kRow);
  std::string norm(const std::string &name, const std::string &input);
  std::string matmul(const std::string &name, const std::string &input,
                     StringRef type = kSquare, int64_t rows = 256,
                     StringRef outputType = kRow);
  std::string elementwise(const std::string &name, StringRef kind,
                          const std::string &lhs, const std::string &rhs);
  std::string rope(const std::string &name, const std::string &input);
  std::string cache(const std::string &name, const std::string &input);
  std::string attention(const std::string &prefix, const std::string &query,
                        const std::string &keys, const std::string &values);
  std::string experts(const std::string &prefix, const std::string &input);
  std::string dense(const std::string &prefix, const std::string &input);

  std::string symbols;
  std::string body;
  int64_t offset = 4096;
  int64_t numLaunches = 0;
};
} // namespace

std::string Writer::matrix(const std::string &name, StringRef type,
                           int64_t rows) {
  symbols += formatv("  lane.matrix @{0} : {1} rows [#lane.rows<file = 0, "
                     "offset = {2}, count = {3}>]\n",
                     name, type, offset, rows);
  // Rows of 256 elements have 144 bytes in q4_K and 1024 in f32.
  offset += rows * (type == kRouter ? 1024 : 144);
  body += formatv("    %{0} = lane.ref @{0} : {1}\n", name, type);
  return "%" + name;
}

std::string Writer::alloc(const std::string &name, StringRef type) {
  body += formatv("    %{0} = lane.alloc \"{0}\" plain <arena> : {1}\n", name,
                  type);
  return "%" + name;
}

std::string Writer::norm(const std::string &name, const std::string &input) {
  symbols +=
      formatv("  lane.values @{0}.weight : !lane.buffer<256xf32>\n", name);
  body += formatv("    %{0}.weight = lane.ref @{0}.weight plain <pool> : "
                  "!lane.buffer<256xf32>\n",
                  name);
  std::string output = alloc(name);
  body += formatv("    lane.norm rms ins({0}, %{1}.weight : {2}, "
                  "!lane.buffer<256xf32>) outs({3} : {2}) epsilon(1.0e-6)\n",
                  input, name, kRow, output);
  ++numLaunches;
  return output;
}

std::string Writer::matmul(const std::string &name, const std::string &input,
                           StringRef type, int64_t rows, StringRef outputType) {
  std::string weight = matrix(name + ".weight", type, rows);
  std::string output = alloc(name, outputType);
  body += formatv("    lane.matmul {0} by {1} into {2} : {3}, {4} -> {5}\n",
                  input, weight, output, kRow, type, outputType);
  ++numLaunches;
  return output;
}

std::string Writer::elementwise(const std::string &name, StringRef kind,
                                const std::string &lhs,
                                const std::string &rhs) {
  std::string output = alloc(name);
  body += formatv("    lane.elementwise {0} ins({1}, {2} : {3}, {3}) outs({4} "
                  ": {3})\n",
                  kind, lhs, rhs, kRow, output);
  ++numLaunches;
  return output;
}

std::string Writer::rope(const std::string &name, const std::string &input) {
  std::string output = alloc(name);
  body += formatv("    lane.rope neox {0} at %position into {1} "
                  "dimensions(64) base(1.0e6) : {2}, {3} -> {2}\n",
                  input, output, kRow, kPosition);
  ++numLaunches;
  return output;
}

std::string Writer::cache(const std::string &name, const std::string &input) {
  symbols += formatv("  lane.state @{0} : {1}\n", name, kCache);
  body +=
      formatv("    %{0} = lane.ref @{0} plain <pool> : {1}\n", name, kCache);
  body += formatv("    lane.copy {0} into %{1} at %position : {2}, {3} -> "
                  "{4}\n",
                  input, name, kRow, kPosition, kCache);
  ++numLaunches;
  return "%" + name;
}

std::string Writer::attention(const std::string &prefix,
                              const std::string &query, const std::string &keys,
                              const std::string &values) {
  std::string output = alloc(prefix + "attn");
  body += formatv("    lane.attention ins({0}, {1}, {2}, %position : {3}, {4}, "
                  "{4}, {5}) outs({6} : {3}) heads(4) kv_heads(4)\n",
                  query, keys, values, kRow, kCache, kPosition, output);
  ++numLaunches;
  return output;
}

std::string Writer::experts(const std::string &prefix,
                            const std::string &input) {
  std::string router =
      matmul(prefix + "ffn_gate_inp", input, kRouter, 8, kScores);
  std::string up = matrix(prefix + "ffn_up_exps.weight", kStack, 2048);
  std::string gate = matrix(prefix + "ffn_gate_exps.weight", kStack, 2048);
  std::string down = matrix(prefix + "ffn_down_exps.weight", kStack, 2048);
  std::string output = alloc(prefix + "ffn_moe");
  body += formatv("    lane.moe {0} routed {1} up {2} gate {3} down {4} into "
                  "{5} active(2) : {6}, {7}, {8}, {8}, {8} -> {6}\n",
                  input, router, up, gate, down, output, kRow, kScores, kStack);
  ++numLaunches;
  return output;
}

std::string Writer::dense(const std::string &prefix, const std::string &input) {
  std::string up = matmul(prefix + "ffn_up", input);
  std::string gate = matmul(prefix + "ffn_gate", input);
  std::string hidden = elementwise(prefix + "ffn_swiglu", "swiglu", gate, up);
  return matmul(prefix + "ffn_down", hidden);
}

void Writer::writeLayer(int64_t layer) {
  std::string prefix = formatv("blk.{0}.", layer);
  std::string x = layer == 0 ? "%x" : formatv("%blk.{0}.out", layer - 1).str();
  std::string normed = norm(prefix + "attn_norm", x);
  std::string query = rope(prefix + "q", matmul(prefix + "attn_q", normed));
  std::string keys =
      cache(prefix + "cache_k",
            rope(prefix + "k", matmul(prefix + "attn_k", normed)));
  std::string values =
      cache(prefix + "cache_v", matmul(prefix + "attn_v", normed));
  std::string attended = attention(prefix, query, keys, values);
  std::string output = matmul(prefix + "attn_output", attended);
  x = elementwise(prefix + "residual", "add", x, output);
  normed = norm(prefix + "ffn_norm", x);
  output = layer % 2 ? experts(prefix, normed) : dense(prefix, normed);
  elementwise(prefix + "out", "add", x, output);
}

std::string Writer::finish() const {
  return formatv(
      "lane.program @synthetic context(64) numerics(one_pass) {{\n"
      "{0}  lane.form @decode decode rows(1) arena(1048576) {{\n"
      "    %position = lane.param \"position\" position plain <pool> "
      ": {1}\n"
      "    %x = lane.alloc \"x\" plain <arena> : {2}\n{3}  }\n}\n",
      symbols, kPosition, kRow, body);
}

std::string lane::makeSyntheticProgram(int64_t numLaunches) {
  Writer writer;
  for (int64_t layer = 0; writer.getNumLaunches() < numLaunches; ++layer)
    writer.writeLayer(layer);
  return writer.finish();
}
