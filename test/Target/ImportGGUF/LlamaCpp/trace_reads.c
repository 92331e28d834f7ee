//===- trace_reads.c - Weights and caches that llama.cpp reads ------------===//
//
// Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs a prompt and one decode step of a GGUF model with llama.cpp, and prints
// each read of the step, in the order of the graph:
//
//   READ  NODE OP NAME                  a tensor of the file, or an input
//   STATE NODE OP NAME TYPE NE0 NE1     a cache or a recurrent state
//
// usage: trace_reads CPU-BACKEND MODEL CONTEXT BATCH
//
// The declarations are those of release 0.4.0, since its package contains no
// headers.
//
//===----------------------------------------------------------------------===//

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ggml_tensor {
  int32_t type;
  void *buffer;
  int64_t ne[4];
  size_t nb[4];
  int32_t op;
  int32_t op_params[16];
  int32_t flags;
  struct ggml_tensor *src[10];
  struct ggml_tensor *view_src;
  size_t view_offs;
  void *data;
  char name[64];
  void *extra;
  char padding[8];
};
_Static_assert(sizeof(struct ggml_tensor) == 336, "another layout");

typedef bool (*eval_callback)(struct ggml_tensor *, bool, void *);

struct llama_model_params {
  void *devices;
  const void *tensor_buft_overrides;
  int32_t n_gpu_layers, split_mode, load_mode, lazy_mode, main_gpu;
  const float *tensor_split;
  void *progress_callback, *progress_callback_user_data;
  const void *kv_overrides;
  bool vocab_only, check_tensors, use_extra_bufts, no_host, no_alloc, load_mtp;
};
_Static_assert(offsetof(struct llama_model_params, vocab_only) == 72,
               "another layout");

struct llama_context_params {
  uint32_t n_ctx, n_batch, n_ubatch, n_seq_max, n_rs_seq, n_outputs_max,
      n_outputs_max_per_seq;
  int32_t n_threads, n_threads_batch;
  int32_t ctx_type, rope_scaling_type, pooling_type, attention_type,
      flash_attn_type;
  float rope_freq_base, rope_freq_scale, yarn_ext_factor, yarn_attn_factor,
      yarn_beta_fast, yarn_beta_slow;
  uint32_t yarn_orig_ctx;
  float defrag_thold;
  eval_callback cb_eval;
  void *cb_eval_user_data;
  int32_t type_k, type_v;
  void *abort_callback, *abort_callback_data;
  bool embeddings, offload_kqv, no_perf, op_offload, swa_full, kv_unified;
  void *samplers;
  size_t n_samplers;
  void *ctx_other;
};
_Static_assert(sizeof(struct llama_context_params) == 160, "another layout");

struct llama_batch {
  int32_t n_tokens;
  int32_t *token;
  float *embd;
  int32_t *pos;
  int32_t *n_seq_id;
  int32_t **seq_id;
  int8_t *logits;
};

void llama_backend_init(void);
const char *llama_version(void);
void *ggml_backend_load(const char *);
struct llama_model_params llama_model_default_params(void);
struct llama_context_params llama_context_default_params(void);
void *llama_model_load_from_file(const char *, struct llama_model_params);
void *llama_init_from_model(void *, struct llama_context_params);
struct llama_batch llama_batch_get_one(int32_t *, int32_t);
int32_t llama_decode(void *, struct llama_batch);
float *llama_get_logits_ith(void *, int32_t);
const void *llama_model_get_vocab(const void *);
int32_t llama_vocab_n_tokens(const void *);
const char *ggml_op_desc(const struct ggml_tensor *);
const char *ggml_op_name(int);
const char *ggml_type_name(int);

static bool is_view(const struct ggml_tensor *tensor) {
  const char *op = ggml_op_name(tensor->op);
  return !strcmp(op, "VIEW") || !strcmp(op, "RESHAPE") ||
         !strcmp(op, "PERMUTE") || !strcmp(op, "TRANSPOSE");
}

/// The tensor whose bytes `tensor` reads.
static const struct ggml_tensor *get_base(const struct ggml_tensor *tensor) {
  while (tensor->view_src || (is_view(tensor) && tensor->src[0]))
    tensor = tensor->view_src ? tensor->view_src : tensor->src[0];
  return tensor;
}

static void print_read(int node, const char *op,
                       const struct ggml_tensor *operand) {
  const struct ggml_tensor *base = get_base(operand);
  // An operation other than 0, none, computes an activation.
  if (base->op != 0)
    return;
  if (strncmp(base->name, "cache_", 6)) {
    printf("READ\t%d\t%s\t%s\n", node, op, base->name);
    return;
  }
  printf("STATE\t%d\t%s\t%s\t%s\t%lld\t%lld\n", node, op, base->name,
         ggml_type_name(base->type), (long long)base->ne[0],
         (long long)base->ne[1]);
}

struct recorder {
  bool is_recording;
  int node;
};

/// llama.cpp asks with `ask` before it evaluates a node.
static bool record(struct ggml_tensor *tensor, bool ask, void *user_data) {
  struct recorder *recorder = user_data;
  if (!ask || !recorder->is_recording)
    return !ask;
  int node = recorder->node++;
  if (is_view(tensor))
    return false;
  for (int i = 0; i < 10; ++i)
    if (tensor->src[i])
      print_read(node, ggml_op_desc(tensor), tensor->src[i]);
  return false;
}

static void fail(const char *what, const char *detail) {
  fprintf(stderr, "trace_reads: %s: %s\n", what, detail);
  exit(1);
}

/// Writes the logits of the last step as f32.
static void write_logits(void *model, void *context, const char *path) {
  size_t count = (size_t)llama_vocab_n_tokens(llama_model_get_vocab(model));
  FILE *file = fopen(path, "wb");
  if (!file || fwrite(llama_get_logits_ith(context, -1), sizeof(float), count,
                      file) != count)
    fail("cannot write", path);
  fclose(file);
}

int main(int argc, char **argv) {
  if (argc != 5 && argc != 6)
    fail("usage", "trace_reads CPU-BACKEND MODEL CONTEXT BATCH [LOGITS]");
  // Another release may have other layouts.
  if (!strstr(llama_version(), "0.4.0"))
    fail("unknown release of llama.cpp", llama_version());
  llama_backend_init();
  if (!ggml_backend_load(argv[1]))
    fail("cannot load the backend", argv[1]);

  struct llama_model_params model_params = llama_model_default_params();
  model_params.n_gpu_layers = 0;
  model_params.load_mode = 0;           // Read the file instead of mapping it.
  model_params.use_extra_bufts = false; // Keep the layout of the weights.
  void *model = llama_model_load_from_file(argv[2], model_params);
  if (!model)
    fail("cannot load the model", argv[2]);

  struct recorder recorder = {false, 0};
  struct llama_context_params params = llama_context_default_params();
  params.n_ctx = strtoul(argv[3], NULL, 10);
  params.n_batch = params.n_ubatch = strtoul(argv[4], NULL, 10);
  params.n_threads = params.n_threads_batch = 1;
  params.swa_full = false;
  params.cb_eval = record;
  params.cb_eval_user_data = &recorder;
  void *context = llama_init_from_model(model, params);
  if (!context)
    fail("cannot create a context for", argv[2]);

  int32_t prompt[] = {3, 4, 5, 6}, next[] = {7};
  if (llama_decode(context, llama_batch_get_one(prompt, 4)))
    fail("cannot evaluate the prompt of", argv[2]);
  recorder.is_recording = true;
  if (llama_decode(context, llama_batch_get_one(next, 1)))
    fail("cannot evaluate a step of", argv[2]);
  if (argc == 6)
    write_logits(model, context, argv[5]);
  fflush(stdout);
  // Nothing needs the destructors of the libraries.
  _Exit(0);
}
