//===- Architectures.cpp - Model architectures as data --------------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Windows and their defaults are those of llama.cpp.
//
//===----------------------------------------------------------------------===//

#include "Architectures.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace lane;
using namespace lane::importer;

/// Returns an entry to fill in; C++17 has no designated initializers.
static Architecture make(StringLiteral name) {
  Architecture architecture{name};
  return architecture;
}

static Architecture makeLlama() {
  Architecture llama = make("llama");
  llama.rope = RopeKind::Normal;
  llama.attentionOutputBias = Presence::WhereGiven;
  llama.networkBias = Presence::WhereGiven;
  llama.experts = Presence::WhereGiven;
  return llama;
}

static Architecture makeSmolLM3() {
  Architecture smollm3 = make("smollm3");
  smollm3.rope = RopeKind::Normal;
  smollm3.unrotatedPeriod = 4;
  return smollm3;
}

static Architecture makeErnie45() {
  Architecture ernie45 = make("ernie4_5");
  ernie45.rope = RopeKind::Normal;
  return ernie45;
}

static Architecture makeErnie45Moe() {
  Architecture ernie45moe = makeErnie45();
  ernie45moe.name = "ernie4_5-moe";
  ernie45moe.experts = Presence::Always;
  ernie45moe.selectionBias = Presence::WhereGiven;
  ernie45moe.sharedExpert = Presence::Always;
  return ernie45moe;
}

static Architecture makeSeedOss() {
  Architecture seedOss = make("seed_oss");
  seedOss.networkNorm = "post_attention_norm";
  return seedOss;
}

static Architecture makeStarCoder2() {
  Architecture starcoder2 = make("starcoder2");
  starcoder2.attentionOutputBias = Presence::Always;
  starcoder2.norm = NormKind::Layer;
  starcoder2.hasNormBias = true;
  starcoder2.activation = ElementwiseKind::Gelu;
  starcoder2.hasGate = false;
  starcoder2.networkBias = Presence::Always;
  return starcoder2;
}

static Architecture makeOlmo2() {
  Architecture olmo2 = make("olmo2");
  olmo2.queryKeyNorm = QueryKeyNorm::Row;
  olmo2.window = {/*period=*/4, /*defaultLength=*/0};
  olmo2.attentionNorm = "";
  olmo2.networkNorm = "";
  olmo2.hasPostNorms = true;
  return olmo2;
}

static Architecture makeExaone4() {
  Architecture exaone4 = makeOlmo2();
  exaone4.name = "exaone4";
  exaone4.queryKeyNorm = QueryKeyNorm::Head;
  exaone4.window = {/*period=*/4, /*defaultLength=*/4096, /*isChunked=*/false,
                    /*rotatesOnlyInWindow=*/true};
  exaone4.window.layerCount = 64;
  return exaone4;
}

static Architecture makeHunyuanDense() {
  Architecture hunyuan = make("hunyuan-dense");
  hunyuan.queryKeyNorm = QueryKeyNorm::Head;
  hunyuan.rotatesBeforeNorm = true;
  return hunyuan;
}

static Architecture makeHunyuanMoe() {
  Architecture hunyuan = makeHunyuanDense();
  hunyuan.name = "hunyuan-moe";
  hunyuan.experts = Presence::Always;
  hunyuan.sharedExpert = Presence::Always;
  return hunyuan;
}

static Architecture makeLlama4() {
  Architecture llama4 = make("llama4");
  llama4.rope = RopeKind::Normal;
  llama4.queryKeyNorm = QueryKeyNorm::Length;
  llama4.window = {/*period=*/4, /*defaultLength=*/8192, /*isChunked=*/true,
                   /*rotatesOnlyInWindow=*/true};
  llama4.experts = Presence::Always;
  llama4.gating = MoeGating::SigmoidOfInput;
  llama4.sharedExpert = Presence::Always;
  return llama4;
}

static Architecture makeQwen2() {
  Architecture qwen2 = make("qwen2");
  qwen2.outputBias = Presence::WhereGiven;
  return qwen2;
}

static Architecture makeQwen3() {
  Architecture qwen3 = make("qwen3");
  qwen3.queryKeyNorm = QueryKeyNorm::Head;
  return qwen3;
}

static Architecture makeQwen3Moe() {
  Architecture qwen3moe = makeQwen3();
  qwen3moe.name = "qwen3moe";
  qwen3moe.experts = Presence::Always;
  return qwen3moe;
}

static Architecture makeQwen3Next() {
  Architecture qwen3next = make("qwen3next");
  qwen3next.attention = AttentionKind::GatedOrDelta;
  qwen3next.attentionBias = Presence::Never;
  qwen3next.queryKeyNorm = QueryKeyNorm::Head;
  qwen3next.networkNorm = "post_attention_norm";
  qwen3next.experts = Presence::WhereGiven;
  qwen3next.sharedExpert = Presence::WhereGiven;
  return qwen3next;
}

static Architecture makeDeepseek2() {
  Architecture deepseek2 = make("deepseek2");
  deepseek2.rope = RopeKind::Normal;
  deepseek2.attention = AttentionKind::Latent;
  deepseek2.experts = Presence::WhereGiven;
  deepseek2.selectionBias = Presence::WhereGiven;
  deepseek2.sharedExpert = Presence::WhereGiven;
  deepseek2.normalizesExperts = false;
  return deepseek2;
}

static Architecture makeGemma2() {
  Architecture gemma2 = make("gemma2");
  gemma2.window = {/*period=*/2, /*defaultLength=*/4096};
  gemma2.hasPostNorms = true;
  gemma2.activation = ElementwiseKind::GeGlu;
  gemma2.scalesEmbedding = true;
  gemma2.logitSoftcap = 30;
  gemma2.attentionSoftcap = 50;
  return gemma2;
}

static Architecture makeGemma3() {
  Architecture gemma3 = makeGemma2();
  gemma3.name = "gemma3";
  gemma3.queryKeyNorm = QueryKeyNorm::Head;
  gemma3.window = {/*period=*/6, /*defaultLength=*/0};
  gemma3.window.ropeBase = 10000;
  gemma3.logitSoftcap = 0;
  gemma3.attentionSoftcap = 0;
  return gemma3;
}

static Architecture makeGemma3n() {
  Architecture gemma3n = makeGemma3();
  gemma3n.name = "gemma3n";
  gemma3n.window.period = 5;
  gemma3n.window.defaultLength = WindowPattern::kRequired;
  gemma3n.firstSharedLayer = 20;
  gemma3n.projectsUpFirst = true;
  gemma3n.logitSoftcap = 30;
  gemma3n.hasAltUp = true;
  return gemma3n;
}

static Architecture makeGptOss() {
  Architecture gptOss = make("gpt-oss");
  gptOss.attentionOutputBias = Presence::Always;
  gptOss.hasSinks = true;
  gptOss.window = {/*period=*/2};
  gptOss.networkNorm = "post_attention_norm";
  gptOss.experts = Presence::Always;
  gptOss.hasExpertBiases = true;
  gptOss.gating = MoeGating::SoftmaxOfActive;
  gptOss.activation = ElementwiseKind::SwiGluOai;
  return gptOss;
}

static Architecture makeGlm4Moe() {
  Architecture glm4moe = make("glm4moe");
  glm4moe.queryKeyNorm = QueryKeyNorm::HeadWhereGiven;
  glm4moe.networkNorm = "post_attention_norm";
  glm4moe.experts = Presence::Always;
  glm4moe.gating = MoeGating::Sigmoid;
  glm4moe.selectionBias = Presence::WhereGiven;
  glm4moe.sharedExpert = Presence::Always;
  return glm4moe;
}

static Architecture makePhi3() {
  Architecture phi3 = make("phi3");
  phi3.hasFusedGate = true;
  return phi3;
}

static Architecture makeGlm4() {
  Architecture glm4 = make("glm4");
  glm4.rope = RopeKind::Normal;
  glm4.hasPostNorms = true;
  glm4.hasFusedGate = true;
  return glm4;
}

static Architecture makePhiMoe() {
  Architecture phimoe = make("phimoe");
  phimoe.attentionOutputBias = Presence::Always;
  phimoe.hasNormBias = true;
  phimoe.experts = Presence::Always;
  phimoe.outputBias = Presence::Always;
  return phimoe;
}

static Architecture makeMinimaxM2() {
  Architecture minimax = make("minimax-m2");
  minimax.attentionBias = Presence::Never;
  minimax.queryKeyNorm = QueryKeyNorm::Row;
  minimax.experts = Presence::Always;
  minimax.gating = MoeGating::Sigmoid;
  minimax.selectionBias = Presence::Always;
  return minimax;
}

static ArrayRef<Architecture> getArchitectures() {
  // Sorted by name, as in messages.
  static const Architecture architectures[] = {
      makeDeepseek2(), makeErnie45(),   makeErnie45Moe(),   makeExaone4(),
      makeGemma2(),    makeGemma3(),    makeGemma3n(),      makeGlm4(),
      makeGlm4Moe(),   makeGptOss(),    makeHunyuanDense(), makeHunyuanMoe(),
      makeLlama(),     makeLlama4(),    makeMinimaxM2(),    makeOlmo2(),
      makePhi3(),      makePhiMoe(),    makeQwen2(),        makeQwen3(),
      makeQwen3Moe(),  makeQwen3Next(), makeSeedOss(),      makeSmolLM3(),
      makeStarCoder2()};
  return architectures;
}

const Architecture *lane::importer::lookupArchitecture(StringRef name) {
  for (const Architecture &architecture : getArchitectures())
    if (architecture.name == name)
      return &architecture;
  return nullptr;
}

std::string lane::importer::getArchitectureNames() {
  return join(map_range(getArchitectures(),
                        [](const Architecture &architecture) {
                          return architecture.name.str();
                        }),
              ", ");
}
