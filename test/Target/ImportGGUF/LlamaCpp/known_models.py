# Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tiny models of the architectures that Lane knows, and of their variants."""

import tiny_model
from tiny_model import EMBEDDING, HEADS, KV_HEADS, VOCABULARY, Model

# Makes a model, by name of the variant, by architecture.
MODELS = {}


def variant(architecture, name, **options):
    """Registers what `function` makes with `options`; more than one may follow."""

    def register(function):
        make = lambda: function(**options)
        MODELS.setdefault(architecture, {})[name] = make
        return function

    return register


def change(architecture, name, of="plain"):
    """Registers a variant that changes the variant `of`."""

    def register(function):
        def make():
            model = MODELS[architecture][of]()
            function(model)
            return model

        MODELS[architecture][name] = make
        return function

    return register


def join_projections(model, bias):
    """Replaces the projections of query, key and value by one tensor."""
    for layer in range(model.layers):
        model.joined_attention(layer, bias)
    model.drop(r"attn_[qkv]\.(weight|bias)")


def add_joined(architecture, of="plain"):
    """Registers the variant `of` with one tensor for the projections."""
    for name, bias in (("attn_qkv", False), ("attn_qkv with a bias", True)):
        change(architecture, name, of)(
            lambda model, bias=bias: join_projections(model, bias)
        )


def rope_factors(model):
    """Factors for contexts of more and of at most 2048 positions."""
    for name in ("long", "short"):
        model.add(f"rope_factors_{name}.weight", model.head // 2)
    model.set(rope__scaling__original_context_length=2048)


@variant("llama", "plain")
@variant("llama", "tied, rope_freqs", tied=True, freqs=True)
@variant("llama", "every bias", bias=True)
def llama(tied=False, freqs=False, bias=False):
    model = Model("llama")
    model.ends(tied)
    if freqs:
        model.add("rope_freqs.weight", model.head // 2)
    for layer in range(model.layers):
        model.norms(layer, "attn_norm", "ffn_norm")
        model.attention(layer, bias, bias)
        model.network(layer, bias=bias)
    return model


@variant("llama", "experts")
def mixtral():
    model = Model("llama", width=64)
    model.ends()
    model.set(expert_count=model.experts, expert_used_count=tiny_model.ACTIVE)
    for layer in range(model.layers):
        model.norms(layer, "attn_norm", "ffn_norm")
        model.attention(layer)
        model.moe(layer)
    return model


@variant("qwen2", "plain", bias=True)
@variant("qwen2", "tied", bias=True, tied=True)
@variant("qwen2", "without biases")
def qwen2(bias=False, tied=False):
    model = Model("qwen2")
    model.ends(tied)
    for layer in range(model.layers):
        model.norms(layer, "attn_norm", "ffn_norm")
        model.attention(layer, bias)
        model.network(layer)
    return model


@change("qwen2", "output.bias")
def qwen2_output_bias(model):
    model.add("output.bias", VOCABULARY)


@change("qwen2", "scales of NVFP4")
def qwen2_scales(model):
    for name in [name for name in model.tensors if "ffn_" in name]:
        if "norm" not in name:
            model.add(name.replace(".weight", ".scale"), 1)


@variant("qwen3", "plain")
@variant("qwen3", "tied, biases", tied=True, bias=True)
def qwen3(tied=False, bias=False):
    model = Model("qwen3")
    model.ends(tied)
    for layer in range(model.layers):
        model.norms(layer, "attn_norm", "ffn_norm")
        model.attention(layer, bias)
        model.head_norms(layer)
        model.network(layer)
    return model


@variant("qwen3moe", "plain")
def qwen3moe():
    model = Model("qwen3moe")
    model.ends()
    model.expert_keys()
    for layer in range(model.layers):
        model.norms(layer, "attn_norm", "ffn_norm")
        model.attention(layer)
        model.head_norms(layer)
        model.moe(layer)
    return model


@variant("phi3", "plain")
@variant("phi3", "tied, a window", tied=True, window=256)
@variant("phi3", "projections not joined", joined=False)
def phi3(tied=False, window=None, joined=True):
    model = Model("phi3")
    model.ends(tied)
    rope_factors(model)
    model.set(attention__sliding_window=window)
    for layer in range(model.layers):
        model.norms(layer, "attn_norm", "ffn_norm")
        if joined:
            model.joined_attention(layer)
        else:
            model.attention(layer)
        model.add_in(layer, "ffn_up.weight", EMBEDDING, 2 * model.width)
        model.add_in(layer, "ffn_down.weight", model.width, EMBEDDING)
    return model


@variant("phimoe", "plain", bias=True)
@variant("phimoe", "without biases of projections")
def phimoe(bias=False):
    model = Model("phimoe", width=64)
    model.ends(bias=True)
    model.add("output.bias", VOCABULARY)
    model.set(expert_count=model.experts, expert_used_count=tiny_model.ACTIVE)
    rope_factors(model)
    for layer in range(model.layers):
        model.norms(layer, "attn_norm", "ffn_norm", bias=True)
        model.attention(layer, bias, output_bias=True)
        model.moe(layer)
    return model


def gemma(architecture, layers, head_norms, bias):
    model = Model(architecture, layers)
    model.ends(tied=True)
    model.set(attention__sliding_window=256)
    for layer in range(layers):
        model.norms(layer, "attn_norm", "ffn_norm")
        model.norms(layer, "post_attention_norm", "post_ffw_norm")
        model.attention(layer, bias)
        if head_norms:
            model.head_norms(layer)
        model.network(layer)
    return model


@variant("gemma2", "plain")
@variant("gemma2", "biases", bias=True)
def gemma2(bias=False):
    return gemma("gemma2", 4, head_norms=False, bias=bias)


@variant("gemma3", "plain")
@variant("gemma3", "biases", bias=True)
def gemma3(bias=False):
    return gemma("gemma3", 8, head_norms=True, bias=bias)


@variant("gemma3n", "plain", layers=25)
@variant("gemma3n", "12 layers", layers=12)
@variant("gemma3n", "another number of shared layers", layers=25, shared=10)
def gemma3n(layers, shared=5):
    model = gemma("gemma3n", layers, head_norms=True, bias=False)
    # llama.cpp has constants for these.
    own, streams, rank = 256, 4, 64
    model.set(
        altup__active_idx=0,
        altup__num_inputs=streams,
        embedding_length_per_layer_input=own,
        attention__shared_kv_layers=shared,
    )
    model.add("per_layer_token_embd.weight", own * layers, VOCABULARY)
    model.add("per_layer_model_proj.weight", EMBEDDING, own * layers)
    model.add("per_layer_proj_norm.weight", own)
    shape = (EMBEDDING, EMBEDDING, streams - 1)
    model.add("altup_proj.weight", *shape, number_format="f16")
    model.add("altup_unembd_proj.weight", *shape, number_format="f16")
    for layer in range(layers):
        model.norms(layer, "post_norm", "laurel_post_norm", "altup_router_norm")
        model.norms(layer, "altup_correct_scale")
        model.add_in(layer, "inp_gate.weight", EMBEDDING, own)
        model.add_in(layer, "proj.weight", own, EMBEDDING)
        model.add_in(layer, "laurel_l.weight", EMBEDDING, rank)
        model.add_in(layer, "laurel_r.weight", rank, EMBEDDING)
        for name, *shape in (
            ("altup_correct_coef", streams, streams),
            ("altup_predict_coef", streams, streams * streams),
            ("altup_router", EMBEDDING, streams),
        ):
            model.add_in(layer, f"{name}.weight", *shape, number_format="f32")
    return model


@change("gemma3n", "untied")
def gemma3n_untied(model):
    model.add("output.weight", EMBEDDING, VOCABULARY)


@variant("gpt-oss", "plain", bias=True)
@variant("gpt-oss", "without biases of projections")
def gpt_oss(bias=False):
    model = Model("gpt-oss", layers=4, head=64)
    model.ends()
    model.expert_keys(attention__sliding_window=256)
    for layer in range(model.layers):
        model.norms(layer, "attn_norm", "post_attention_norm")
        model.attention(layer, bias, output_bias=True)
        model.add_in(layer, "attn_sinks.weight", HEADS)
        model.moe(layer, bias=True)
    return model


# Without shared layers, which with other periods and tensors llama.cpp cannot run.
BASES = {"gemma3n": "12 layers"}

for windowed in ("gemma2", "gemma3", "gemma3n", "gpt-oss"):
    base = BASES.get(windowed, "plain")

    @change(windowed, "a period of 3", of=base)
    def set_period(model):
        model.set(attention__sliding_window_pattern=3)

    @change(windowed, "an array of windows")
    def set_flags(model):
        flags = [layer % 2 == 1 for layer in range(model.layers)]
        model.set(attention__sliding_window_pattern=flags)


for optional in ("gemma2", "gemma3"):

    @change(optional, "no window key")
    def drop_window(model):
        model.set(attention__sliding_window=None)


@variant("glm4moe", "plain", head_norms=True)
@variant("glm4moe", "without head norms")
def glm4moe(head_norms=False):
    # The last layer predicts a further token.
    model = Model("glm4moe", layers=4, rotated=16)
    model.ends()
    model.expert_keys(
        expert_shared_count=1,
        leading_dense_block_count=1,
        nextn_predict_layers=1,
        expert_gating_func=2,
        expert_weights_norm=True,
    )
    for layer in range(model.layers):
        model.norms(layer, "attn_norm", "post_attention_norm")
        model.attention(layer, bias=True)
        if head_norms:
            model.head_norms(layer)
        if layer == 0:
            model.network(layer)
        else:
            model.moe(layer, selection_bias=True)
            model.shared_expert(layer)
    layer = model.layers - 1
    model.norms(layer, "nextn.enorm", "nextn.hnorm", "nextn.shared_head_norm")
    model.add_in(layer, "nextn.eh_proj.weight", 2 * EMBEDDING, EMBEDDING)
    model.add_in(layer, "nextn.embed_tokens.weight", EMBEDDING, VOCABULARY)
    model.add_in(layer, "nextn.shared_head_head.weight", EMBEDDING, VOCABULARY)
    return model


@variant("llama4", "plain", experts=16, step=1)
@variant("llama4", "128 experts", experts=128, step=2)
@variant("llama4", "biases", experts=16, step=1, bias=True)
def llama4(experts, step, bias=False):
    model = Model("llama4", layers=8, experts=experts)
    model.ends()
    model.expert_keys(interleave_moe_layer_step=step, expert_used_count=1)
    model.add("rope_freqs.weight", model.head // 2)
    for layer in range(model.layers):
        model.norms(layer, "attn_norm", "ffn_norm")
        model.attention(layer, bias)
        if (layer + 1) % step == 0:
            model.moe(layer)
            model.shared_expert(layer)
        else:
            model.network(layer)
    return model


@variant("minimax-m2", "plain")
def minimax_m2():
    model = Model("minimax-m2", rotated=16, width=64)
    model.ends()
    model.expert_keys(expert_gating_func=2)
    for layer in range(model.layers):
        model.norms(layer, "attn_norm", "ffn_norm")
        model.attention(layer)
        model.head_norms(layer, HEADS, KV_HEADS)
        model.moe(layer, selection_bias=True)
    return model


def delta_net(model, layer, joined, split_rates=False):
    """The recurrence of qwen3next."""
    state, groups, rank, taps, inner = 32, 2, 4, 4, 128
    mixed = 2 * state * groups + inner
    model.set(
        ssm__conv_kernel=taps,
        ssm__inner_size=inner,
        ssm__state_size=state,
        ssm__time_step_rank=rank,
        ssm__group_count=groups,
    )
    if joined:
        model.add_in(layer, "ssm_in.weight", EMBEDDING, mixed + inner)
    else:
        model.add_in(layer, "attn_qkv.weight", EMBEDDING, mixed)
        model.add_in(layer, "attn_gate.weight", EMBEDDING, inner)
    if split_rates:
        model.add_in(layer, "ssm_beta.weight", EMBEDDING, rank)
        model.add_in(layer, "ssm_alpha.weight", EMBEDDING, rank)
    else:
        model.add_in(layer, "ssm_ba.weight", EMBEDDING, 2 * rank)
    model.add_in(layer, "ssm_conv1d.weight", taps, mixed, number_format="f32")
    model.add_in(layer, "ssm_dt.bias", rank)
    model.add_in(layer, "ssm_a", rank)
    model.add_in(layer, "ssm_norm.weight", inner // rank)
    model.add_in(layer, "ssm_out.weight", inner, EMBEDDING)


@variant("qwen3next", "plain")
@variant("qwen3next", "ssm_in", joined=True)
@variant("qwen3next", "tied, gate and up joined", tied=True, joined_experts=True)
def qwen3next(joined=False, tied=False, joined_experts=False):
    model = Model("qwen3next", layers=5, head=64, rotated=16)
    model.ends(tied)
    model.expert_keys(expert_shared_feed_forward_length=tiny_model.SHARED_WIDTH)
    for layer in range(model.layers):
        model.norms(layer, "attn_norm", "post_attention_norm")
        if (layer + 1) % 4:
            delta_net(model, layer, joined)
        else:
            model.attention(layer, gated=True)
            model.head_norms(layer)
        model.moe(layer, joined=joined_experts)
        model.shared_expert(layer, tiny_model.SHARED_WIDTH)
        model.add_in(layer, "ffn_gate_inp_shexp.weight", EMBEDDING)
    return model


@variant("deepseek2", "plain")
@variant("deepseek2", "attn_kv_b", joined=True)
@variant("deepseek2", "no q_lora_rank", layers=27, query_rank=0)
@variant("deepseek2", "no q_lora_rank, attn_kv_b", layers=27, query_rank=0, joined=True)
def deepseek2(joined=False, layers=3, query_rank=96, architecture="deepseek2"):
    plain, rotated, value, rank = 32, 32, 64, 64
    key = plain + rotated
    # llama.cpp recognizes the models without a query rank by their 27 layers.
    model = Model(architecture, layers)
    model.ends()
    model.expert_keys(
        expert_shared_count=1,
        leading_dense_block_count=1,
        expert_weights_scale=2.5,
        expert_weights_norm=True,
        expert_gating_func=2,
        attention__q_lora_rank=query_rank or None,
        attention__kv_lora_rank=rank,
        attention__head_count_kv=HEADS if joined else 1,
        attention__key_length=key if joined else rank + rotated,
        attention__value_length=value if joined else rank,
        attention__key_length_mla=None if joined else key,
        attention__value_length_mla=None if joined else value,
        rope__dimension_count=rotated,
    )
    for layer in range(layers):
        model.norms(layer, "attn_norm", "ffn_norm")
        if query_rank:
            model.add_in(layer, "attn_q_a.weight", EMBEDDING, query_rank)
            model.add_in(layer, "attn_q_a_norm.weight", query_rank)
            model.add_in(layer, "attn_q_b.weight", query_rank, HEADS * key)
        else:
            model.add_in(layer, "attn_q.weight", EMBEDDING, HEADS * key)
        model.add_in(layer, "attn_kv_a_mqa.weight", EMBEDDING, rank + rotated)
        model.add_in(layer, "attn_kv_a_norm.weight", rank)
        if joined:
            model.add_in(layer, "attn_kv_b.weight", rank, HEADS * (plain + value))
        else:
            model.add_in(layer, "attn_k_b.weight", plain, rank, HEADS)
            model.add_in(layer, "attn_v_b.weight", rank, value, HEADS)
        model.add_in(layer, "attn_output.weight", HEADS * value, EMBEDDING)
        if layer == 0:
            model.network(layer)
        else:
            model.moe(layer, selection_bias=query_rank != 0)
            model.shared_expert(layer)
    return model


for joinable in (
    "llama",
    "qwen2",
    "qwen3",
    "qwen3moe",
    "phimoe",
    "gemma2",
    "gemma3",
    "gemma3n",
    "glm4moe",
    "gpt-oss",
    "llama4",
):
    add_joined(joinable, of=BASES.get(joinable, "plain"))
