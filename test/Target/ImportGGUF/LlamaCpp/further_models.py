# Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tiny models of known architectures that differ little from llama. They are added to
the table of known_models."""

from known_models import MODELS, add_joined, variant
from tiny_model import EMBEDDING, HEADS, KV_HEADS, Model


def simple(architecture, tied=False, norms=("attn_norm", "ffn_norm"), **options):
    """Attention and a dense network."""
    model = Model(architecture, options.get("layers", 3))
    model.ends(tied, bias=options.get("norm_bias", False))
    for layer in range(model.layers):
        model.norms(layer, *norms, bias=options.get("norm_bias", False))
        model.attention(
            layer, options.get("bias", False), options.get("output_bias", False)
        )
        if "head_norms" in options:
            model.head_norms(layer, *options["head_norms"])
        model.network(
            layer,
            bias=options.get("network_bias", False),
            gate=options.get("gate", True),
        )
    return model


@variant("smollm3", "plain")
@variant("smollm3", "tied, biases", tied=True, bias=True)
def smollm3(tied=False, bias=False):
    return simple("smollm3", tied, bias=bias, layers=5)


@variant("seed_oss", "plain", bias=True)
@variant("seed_oss", "tied, without biases", tied=True)
def seed_oss(tied=False, bias=False):
    norms = ("attn_norm", "post_attention_norm")
    return simple("seed_oss", tied, norms, bias=bias)


@variant("olmo2", "plain")
@variant("olmo2", "a window", window=256, layers=9)
@variant("olmo2", "a window and a period", window=256, layers=9, pattern=3)
def olmo2(window=None, pattern=None, layers=3):
    norms = ("post_attention_norm", "post_ffw_norm")
    model = simple("olmo2", False, norms, head_norms=(HEADS, KV_HEADS), layers=layers)
    model.set(
        attention__sliding_window=window, attention__sliding_window_pattern=pattern
    )
    return model


@variant("exaone4", "plain")
@variant("exaone4", "tied, a window that is not used", tied=True, window=256)
@variant("exaone4", "windows", layers=64, window=256)
@variant("exaone4", "windows and a period", layers=64, window=256, pattern=3)
def exaone4(tied=False, window=None, pattern=None, layers=3):
    norms = ("post_attention_norm", "post_ffw_norm")
    model = simple("exaone4", tied, norms, head_norms=(1, 1), layers=layers)
    model.set(
        attention__sliding_window=window, attention__sliding_window_pattern=pattern
    )
    return model


@variant("starcoder2", "plain", bias=True)
@variant("starcoder2", "tied, without biases of queries", tied=True)
def starcoder2(tied=False, bias=False):
    return simple(
        "starcoder2",
        tied,
        norm_bias=True,
        bias=bias,
        output_bias=True,
        network_bias=True,
        gate=False,
    )


@variant("ernie4_5", "plain")
@variant("ernie4_5", "tied, biases", tied=True, bias=True)
def ernie4_5(tied=False, bias=False):
    return simple("ernie4_5", tied, bias=bias, output_bias=bias)


@variant("ernie4_5-moe", "plain")
@variant("ernie4_5-moe", "tied, without a selection bias", tied=True, selection=False)
def ernie4_5_moe(tied=False, selection=True):
    model = Model("ernie4_5-moe")
    model.ends(tied)
    model.expert_keys(
        interleave_moe_layer_step=1,
        leading_dense_block_count=1,
        expert_shared_count=1,
        expert_shared_feed_forward_length=model.expert_width,
    )
    for layer in range(model.layers):
        model.norms(layer, "attn_norm", "ffn_norm")
        model.attention(layer)
        if layer == 0:
            model.network(layer)
        else:
            model.moe(layer, selection_bias=selection)
            model.shared_expert(layer)
    return model


@variant("hunyuan-dense", "plain")
@variant("hunyuan-dense", "tied, biases", tied=True, bias=True)
def hunyuan_dense(tied=False, bias=False):
    return simple("hunyuan-dense", tied, bias=bias, head_norms=(1, 1))


@variant("hunyuan-moe", "plain")
@variant("hunyuan-moe", "tied", tied=True)
def hunyuan_moe(tied=False):
    model = Model("hunyuan-moe", width=64)
    model.ends(tied)
    model.expert_keys(expert_shared_feed_forward_length=model.expert_width)
    for layer in range(model.layers):
        model.norms(layer, "attn_norm", "ffn_norm")
        model.attention(layer)
        model.head_norms(layer)
        model.moe(layer)
        model.shared_expert(layer)
    return model


@variant("glm4", "plain", bias=True)
@variant("glm4", "tied, without biases", tied=True)
def glm4(tied=False, bias=False):
    model = Model("glm4", rotated=16)
    model.ends(tied)
    for layer in range(model.layers):
        model.norms(layer, "attn_norm", "post_attention_norm")
        model.norms(layer, "ffn_norm", "post_ffw_norm")
        model.attention(layer, bias)
        model.network(layer, gate=False)
        model.add_in(layer, "ffn_up.weight", EMBEDDING, 2 * model.width)
    return model


# llama.cpp cannot normalize rows of olmo2's joined projections.
for joinable in (
    "ernie4_5",
    "ernie4_5-moe",
    "exaone4",
    "glm4",
    "hunyuan-dense",
    "hunyuan-moe",
    "seed_oss",
    "smollm3",
    "starcoder2",
):
    add_joined(joinable)
