# Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tiny GGUF models that llama.cpp can run. Their data is zero, since only the reads
matter."""

import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import make_header

EMBEDDING, VOCABULARY, CONTEXT = 128, 96, 32768
HEADS, KV_HEADS, HEAD = 4, 2, 32
WIDTH, EXPERT_WIDTH, SHARED_WIDTH = 160, 64, 32
EXPERTS, ACTIVE = 4, 2


class Model:
    """Keys and tensors of a model; the methods add tensors of one block."""

    def __init__(self, architecture, layers=3, **sizes):
        self.architecture, self.layers = architecture, layers
        self.head = sizes.get("head", HEAD)
        self.width = sizes.get("width", WIDTH)
        self.expert_width = sizes.get("expert_width", EXPERT_WIDTH)
        self.experts = sizes.get("experts", EXPERTS)
        self.keys = {
            "general.architecture": architecture,
            "tokenizer.ggml.model": "none",
        }
        self.tensors = {}
        self.set(
            vocab_size=VOCABULARY,
            block_count=layers,
            context_length=CONTEXT,
            embedding_length=EMBEDDING,
            feed_forward_length=self.width,
            attention__head_count=HEADS,
            attention__head_count_kv=KV_HEADS,
            attention__key_length=self.head,
            attention__value_length=self.head,
            attention__layer_norm_rms_epsilon=1e-6,
            attention__layer_norm_epsilon=1e-6,
            rope__freq_base=10000.0,
            rope__dimension_count=sizes.get("rotated", self.head),
        )

    def set(self, **keys):
        """Sets keys of the architecture; `a__b` is `a.b`, and None drops a key."""
        for name, value in keys.items():
            name = f"{self.architecture}.{name.replace('__', '.')}"
            self.keys.pop(name, None)
            if value is not None:
                self.keys[name] = value

    def add(self, name, *shape, number_format=None):
        """Adds a tensor, with the contiguous dimension first."""
        if number_format is None:
            is_matrix = len(shape) > 1 and "_norm" not in name
            number_format = "q8_0" if is_matrix else "f32"
        self.tensors[name] = (list(shape), number_format)

    def add_in(self, layer, name, *shape, number_format=None):
        self.add(f"blk.{layer}.{name}", *shape, number_format=number_format)

    def drop(self, pattern):
        """Drops the tensors of each layer whose name matches `pattern`."""
        pattern = re.compile(rf"(blk\.\d+\.)?{pattern}")
        for name in [name for name in self.tensors if pattern.fullmatch(name)]:
            del self.tensors[name]

    def ends(self, tied=False, bias=False):
        """The table, the last norm and the head."""
        self.add("token_embd.weight", EMBEDDING, VOCABULARY)
        self.add("output_norm.weight", EMBEDDING)
        if bias:
            self.add("output_norm.bias", EMBEDDING)
        if not tied:
            self.add("output.weight", EMBEDDING, VOCABULARY)

    def norms(self, layer, *names, bias=False):
        for name in names:
            self.add_in(layer, f"{name}.weight", EMBEDDING)
            if bias:
                self.add_in(layer, f"{name}.bias", EMBEDDING)

    def attention(self, layer, bias=False, output_bias=False, gated=False):
        rows = {"q": HEADS, "k": KV_HEADS, "v": KV_HEADS}
        for name, heads in rows.items():
            count = heads * self.head * (2 if gated and name == "q" else 1)
            self.add_in(layer, f"attn_{name}.weight", EMBEDDING, count)
            if bias:
                self.add_in(layer, f"attn_{name}.bias", count)
        self.add_in(layer, "attn_output.weight", HEADS * self.head, EMBEDDING)
        if output_bias:
            self.add_in(layer, "attn_output.bias", EMBEDDING)

    def joined_attention(self, layer, bias=False):
        rows = (HEADS + 2 * KV_HEADS) * self.head
        self.add_in(layer, "attn_qkv.weight", EMBEDDING, rows)
        if bias:
            self.add_in(layer, "attn_qkv.bias", rows)
        self.add_in(layer, "attn_output.weight", HEADS * self.head, EMBEDDING)

    def head_norms(self, layer, query_heads=1, key_heads=1):
        self.add_in(layer, "attn_q_norm.weight", query_heads * self.head)
        self.add_in(layer, "attn_k_norm.weight", key_heads * self.head)

    def network(self, layer, suffix="", bias=False, width=None, gate=True):
        width = width or self.width
        for name in ("gate", "up") if gate else ("up",):
            self.add_in(layer, f"ffn_{name}{suffix}.weight", EMBEDDING, width)
            if bias:
                self.add_in(layer, f"ffn_{name}{suffix}.bias", width)
        self.add_in(layer, f"ffn_down{suffix}.weight", width, EMBEDDING)
        if bias:
            self.add_in(layer, f"ffn_down{suffix}.bias", EMBEDDING)

    def shared_expert(self, layer, width=None):
        self.network(layer, "_shexp", width=width or self.expert_width)

    def expert_keys(self, **keys):
        self.set(expert_count=self.experts, expert_used_count=ACTIVE)
        self.set(expert_feed_forward_length=self.expert_width, **keys)

    def moe(self, layer, bias=False, selection_bias=False, joined=False, gate=True):
        width, experts = self.expert_width, self.experts
        stacks = {"gate": (EMBEDDING, width), "up": (EMBEDDING, width)}
        if joined:
            stacks = {"gate_up": (EMBEDDING, 2 * width)}
        elif not gate:
            del stacks["gate"]
        stacks["down"] = (width, EMBEDDING)
        self.add_in(
            layer, "ffn_gate_inp.weight", EMBEDDING, experts, number_format="f32"
        )
        if bias:
            self.add_in(layer, "ffn_gate_inp.bias", experts)
        if selection_bias:
            self.add_in(layer, "exp_probs_b.bias", experts)
        for name, (columns, rows) in stacks.items():
            stem = f"ffn_{name}_exps"
            self.add_in(layer, f"{stem}.weight", columns, rows, experts)
            if bias:
                self.add_in(
                    layer, f"{stem}.bias", rows, experts, number_format="f32"
                )

    def write(self, path):
        # The order of layers and names is that of llama-quantize.
        def position(name):
            layer = re.match(r"blk\.(\d+)", name)
            return int(layer[1]) if layer else -1, name

        tensors = {
            name: self.tensors[name] for name in sorted(self.tensors, key=position)
        }
        keys = {
            name: (make_header.guess_type(value), value)
            for name, value in self.keys.items()
        }
        header = make_header.pack_header(keys, tensors)
        size = len(header)
        for shape, number_format in tensors.values():
            _, elements, block_bytes = make_header.FORMATS[number_format]
            count = 1
            for dimension in shape:
                count *= dimension
            size += count // elements * block_bytes
            size += make_header.pad(size)
        with open(path, "wb") as file:
            file.write(header)
            file.truncate(size)
