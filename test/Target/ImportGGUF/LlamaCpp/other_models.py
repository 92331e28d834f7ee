# Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tiny models of architectures that Lane imports by the names of their tensors."""

import known_models
from further_models import simple
from tiny_model import EMBEDDING, KV_HEADS, VOCABULARY, Model

MODELS = {}


def variant(architecture, name, **options):
    """Registers what `function` makes with `options`; more than one may follow."""

    def register(function):
        make = lambda: function(**options)
        MODELS.setdefault(architecture, {})[name] = make
        return function

    return register


@variant("mistral3", "plain")
def mistral3():
    return simple("mistral3")


@variant("command-r", "plain")
def command_r():
    model = simple("command-r", tied=True, norms=("attn_norm",))
    model.set(logit_scale=0.0625)
    return model


@variant("cohere2", "plain")
def cohere2():
    model = simple("cohere2", tied=True, norms=("attn_norm",), layers=4)
    model.set(logit_scale=0.0625, attention__sliding_window=256)
    return model


@variant("bailingmoe2", "plain")
def bailingmoe2():
    model = Model("bailingmoe2")
    model.ends()
    model.expert_keys(
        leading_dense_block_count=1,
        expert_shared_count=1,
        expert_weights_scale=2.5,
        expert_weights_norm=True,
        expert_gating_func=2,
        expert_group_count=2,
        expert_group_used_count=1,
        nextn_predict_layers=0,
    )
    for layer in range(model.layers):
        model.norms(layer, "attn_norm", "ffn_norm")
        model.joined_attention(layer)
        model.head_norms(layer)
        if layer == 0:
            model.network(layer)
        else:
            model.moe(layer, selection_bias=True)
            model.shared_expert(layer)
    return model


@variant("qwen35", "plain", experts=False)
@variant("qwen35moe", "plain", experts=True)
def qwen35(experts):
    name = "qwen35moe" if experts else "qwen35"
    model = Model(name, layers=5, head=64, rotated=16)
    model.ends()
    model.set(rope__dimension_sections=[3, 3, 2, 0])
    if experts:
        model.expert_keys(expert_shared_feed_forward_length=model.expert_width)
    for layer in range(model.layers):
        model.norms(layer, "attn_norm", "post_attention_norm")
        if (layer + 1) % 4:
            known_models.delta_net(model, layer, joined=False, split_rates=True)
        else:
            model.attention(layer, gated=True)
            model.head_norms(layer)
        if experts:
            model.moe(layer)
            model.shared_expert(layer)
            model.add_in(layer, "ffn_gate_inp_shexp.weight", EMBEDDING)
        else:
            model.network(layer)
    return model


@variant("gemma4", "plain", experts=False)
@variant("gemma4", "experts", experts=True)
def gemma4(experts):
    model = Model("gemma4", layers=6, head=64)
    model.ends(tied=True)
    own, near = 64, 32
    windows = [True, False] * 3
    model.set(
        attention__sliding_window=256,
        attention__sliding_window_pattern=windows,
        attention__key_length_swa=near,
        attention__value_length_swa=near,
        rope__dimension_count_swa=near,
        rope__freq_base_swa=10000.0,
        attention__shared_kv_layers=0 if experts else 2,
        embedding_length_per_layer_input=0 if experts else own,
        final_logit_softcapping=30.0,
    )
    model.add("rope_freqs.weight", model.head // 2)
    if experts:
        model.expert_keys()
    else:
        model.add("per_layer_token_embd.weight", own * model.layers, VOCABULARY)
        model.add("per_layer_model_proj.weight", EMBEDDING, own * model.layers)
        model.add("per_layer_proj_norm.weight", own)
    for layer, is_windowed in enumerate(windows):
        model.head = near if is_windowed else 64
        model.norms(layer, "attn_norm", "post_attention_norm", "ffn_norm")
        model.norms(layer, "post_ffw_norm")
        model.attention(layer)
        model.head_norms(layer)
        model.network(layer)
        model.add_in(layer, "layer_output_scale.weight", 1)
        if experts:
            model.norms(layer, "pre_ffw_norm_2", "post_ffw_norm_1", "post_ffw_norm_2")
            model.moe(layer, joined=True)
            model.add_in(layer, "ffn_gate_inp.scale", EMBEDDING)
            model.add_in(layer, "ffn_down_exps.scale", model.experts)
            # Without a projection of values, the keys are the values.
            if not is_windowed:
                model.drop(rf"attn_v\.weight(?<=blk\.{layer}\.attn_v\.weight)")
        else:
            model.add_in(layer, "inp_gate.weight", EMBEDDING, own)
            model.add_in(layer, "proj.weight", own, EMBEDDING)
            model.norms(layer, "post_norm")
    return model


def mamba(model, layer, inner, groups):
    """A state-space layer of the second kind."""
    state, rank, taps = 32, 4, 4
    mixed = inner + 2 * groups * state
    model.set(
        ssm__conv_kernel=taps,
        ssm__inner_size=inner,
        ssm__state_size=state,
        ssm__time_step_rank=rank,
        ssm__group_count=groups,
    )
    model.add_in(layer, "ssm_in.weight", EMBEDDING, inner + mixed + rank)
    model.add_in(layer, "ssm_conv1d.weight", taps, mixed, number_format="f32")
    model.add_in(layer, "ssm_conv1d.bias", mixed)
    model.add_in(layer, "ssm_dt.bias", rank)
    model.add_in(layer, "ssm_a", 1, rank, number_format="f32")
    model.add_in(layer, "ssm_d", 1, rank, number_format="f32")
    shape = (inner // groups, groups)
    model.add_in(layer, "ssm_norm.weight", *shape, number_format="f32")
    model.add_in(layer, "ssm_out.weight", inner, EMBEDDING)


def attention_layers(model, kinds):
    """Only layers of kind `*` have heads for keys and values."""
    heads = [KV_HEADS if kind == "*" else 0 for kind in kinds]
    model.set(attention__head_count_kv=heads)


@variant("nemotron_h_moe", "plain")
def nemotron_h_moe():
    model = Model("nemotron_h_moe", layers=5)
    model.ends()
    kinds = "MEM*E"
    attention_layers(model, kinds)
    model.expert_keys(
        feed_forward_length=[64 if kind == "E" else 0 for kind in kinds],
        expert_shared_feed_forward_length=64,
        expert_shared_count=1,
        expert_weights_norm=True,
        expert_weights_scale=2.5,
        expert_gating_func=2,
    )
    for layer, kind in enumerate(kinds):
        model.norms(layer, "attn_norm")
        if kind == "M":
            mamba(model, layer, inner=128, groups=2)
        elif kind == "*":
            model.attention(layer)
        else:
            model.moe(layer, selection_bias=True, gate=False)
            model.network(layer, "_shexp", width=64, gate=False)
    return model


@variant("granitehybrid", "plain")
def granitehybrid():
    model = Model("granitehybrid", layers=4, width=64)
    model.ends()
    kinds = "MM*M"
    attention_layers(model, kinds)
    model.expert_keys(
        expert_shared_feed_forward_length=64,
        logit_scale=1.0,
        residual_scale=1.0,
        embedding_scale=1.0,
        attention__scale=1.0,
    )
    for layer, kind in enumerate(kinds):
        model.norms(layer, "attn_norm", "ffn_norm")
        if kind == "M":
            mamba(model, layer, inner=256, groups=1)
        else:
            model.attention(layer)
        model.moe(layer)
        model.shared_expert(layer)
    return model


@variant("lfm2", "plain", experts=False)
@variant("lfm2moe", "plain", experts=True)
def lfm2(experts):
    model = Model("lfm2moe" if experts else "lfm2", layers=4)
    model.add("token_embd.weight", EMBEDDING, VOCABULARY)
    model.add("token_embd_norm.weight", EMBEDDING)
    kinds, taps = "CC*C", 3
    attention_layers(model, kinds)
    model.set(shortconv__l_cache=taps)
    if experts:
        model.expert_keys(leading_dense_block_count=1, expert_gating_func=2)
    for layer, kind in enumerate(kinds):
        model.norms(layer, "attn_norm", "ffn_norm")
        if kind == "C":
            stem = "shortconv"
            model.add_in(layer, f"{stem}.in_proj.weight", EMBEDDING, 3 * EMBEDDING)
            model.add_in(
                layer, f"{stem}.conv.weight", taps, EMBEDDING, number_format="f32"
            )
            model.add_in(layer, f"{stem}.out_proj.weight", EMBEDDING, EMBEDDING)
        else:
            model.attention(layer)
            model.head_norms(layer)
        if experts and layer > 0:
            model.moe(layer, selection_bias=True)
        else:
            model.network(layer)
    return model


@variant("deepseek32", "plain")
def deepseek32():
    model = known_models.deepseek2(architecture="deepseek32")
    heads, key = 4, 128
    model.set(
        attention__indexer__head_count=heads,
        attention__indexer__key_length=key,
        attention__indexer__top_k=64,
        expert_group_count=2,
        expert_group_used_count=1,
    )
    for layer in range(model.layers):
        model.add_in(layer, "indexer.k_norm.weight", key)
        model.add_in(layer, "indexer.k_norm.bias", key)
        model.add_in(layer, "indexer.proj.weight", EMBEDDING, heads)
        model.add_in(layer, "indexer.attn_k.weight", EMBEDDING, key)
        model.add_in(layer, "indexer.attn_q_b.weight", 96, heads * key)
    return model
