# Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the GGUF header of a tiny model.

usage: make_header.py PRESET OUTPUT [CHANGE...]

PRESET is llama, mixtral, qwen2, qwen3 or qwen3moe, or another architecture with
llama's keys and tensors. OUTPUT is a path, or - for standard output. A change is
one of:

  KEY=VALUE           sets a key; VALUE is JSON, and whole numbers are u32.
                      The architecture is the prefix of a key that does not
                      start with a dot: `block_count=2`, `.split.count=3`
  KEY:TYPE=VALUE      the same with a type: u8 i8 u16 i16 u32 i32 f32 bool str
                      u64 i64 f64
  -KEY                drops a key
  +TENSOR=DIMS:TYPE   adds or replaces a tensor, as in `+blk.0.x=32x16:f16`,
                      with the contiguous dimension first; a name in double
                      quotes is JSON
  ~TENSOR             drops a tensor
"""

import json
import struct
import sys

import gguf_header

# GGUF id and layout of each scalar type.
SCALARS = {
    "u8": (0, "<B"),
    "i8": (1, "<b"),
    "u16": (2, "<H"),
    "i16": (3, "<h"),
    "u32": (4, "<I"),
    "i32": (5, "<i"),
    "f32": (6, "<f"),
    "bool": (7, "<?"),
    "u64": (10, "<Q"),
    "i64": (11, "<q"),
    "f64": (12, "<d"),
}
STRING, ARRAY = 8, 9

# ggml id, and elements and bytes of a block of each format.
FORMATS = {
    name: (number, elements, size)
    for number, (name, elements, size) in gguf_header.FORMATS.items()
}

ALIGNMENT = 32

EMBEDDING, VOCABULARY, WIDTH = 64, 96, 128
HEADS, KV_HEADS, HEAD_LENGTH = 4, 2, 16
EXPERTS, ACTIVE, EXPERT_WIDTH = 4, 2, 32


def get_architecture(preset):
    return "llama" if preset == "mixtral" else preset


def make_keys(preset):
    """The keys, as (type, value) by name."""
    keys = {
        ".general.architecture": ("str", get_architecture(preset)),
        "block_count": ("u32", 1),
        "context_length": ("u32", 64),
        "embedding_length": ("u32", EMBEDDING),
        "feed_forward_length": ("u32", WIDTH),
        "attention.head_count": ("u32", HEADS),
        "attention.head_count_kv": ("u32", KV_HEADS),
        "attention.layer_norm_rms_epsilon": ("f32", 1e-6),
        "rope.freq_base": ("f32", 10000.0),
    }
    if preset in ("mixtral", "qwen3moe"):
        keys["expert_count"] = ("u32", EXPERTS)
        keys["expert_used_count"] = ("u32", ACTIVE)
    if preset == "qwen3moe":
        keys["expert_feed_forward_length"] = ("u32", EXPERT_WIDTH)
    return keys


def make_layer(preset):
    """The tensors of a layer, as (name, shape, format)."""
    query, key = HEADS * HEAD_LENGTH, KV_HEADS * HEAD_LENGTH
    yield "attn_norm.weight", [EMBEDDING], "f32"
    for name, rows in (("q", query), ("k", key), ("v", key)):
        yield f"attn_{name}.weight", [EMBEDDING, rows], "q8_0"
        if preset == "qwen2":
            yield f"attn_{name}.bias", [rows], "f32"
    if preset.startswith("qwen3"):
        yield "attn_q_norm.weight", [HEAD_LENGTH], "f32"
        yield "attn_k_norm.weight", [HEAD_LENGTH], "f32"
    yield "attn_output.weight", [query, EMBEDDING], "q8_0"
    yield "ffn_norm.weight", [EMBEDDING], "f32"
    if preset in ("mixtral", "qwen3moe"):
        width = EXPERT_WIDTH if preset == "qwen3moe" else WIDTH
        yield "ffn_gate_inp.weight", [EMBEDDING, EXPERTS], "f32"
        yield "ffn_up_exps.weight", [EMBEDDING, width, EXPERTS], "q8_0"
        yield "ffn_gate_exps.weight", [EMBEDDING, width, EXPERTS], "q8_0"
        yield "ffn_down_exps.weight", [width, EMBEDDING, EXPERTS], "q8_0"
    else:
        yield "ffn_up.weight", [EMBEDDING, WIDTH], "q8_0"
        yield "ffn_gate.weight", [EMBEDDING, WIDTH], "q8_0"
        yield "ffn_down.weight", [WIDTH, EMBEDDING], "q8_0"


def make_tensors(preset, layers):
    """The tensors, as (shape, format) by name; qwen3 has a tied head."""
    tensors = {"token_embd.weight": ([EMBEDDING, VOCABULARY], "q8_0")}
    for layer in range(layers):
        for name, shape, number_format in make_layer(preset):
            tensors[f"blk.{layer}.{name}"] = (shape, number_format)
    tensors["output_norm.weight"] = ([EMBEDDING], "f32")
    if preset != "qwen3":
        tensors["output.weight"] = ([EMBEDDING, VOCABULARY], "q8_0")
    return tensors


def guess_type(value):
    if isinstance(value, list):
        return guess_type(value[0])
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, str):
        return "str"
    return "f32" if isinstance(value, float) else "u32"


def parse_key(text):
    """Splits KEY[:TYPE]=VALUE into name, type and value."""
    name, _, value = text.partition("=")
    value = json.loads(value)
    name, _, scalar = name.partition(":")
    return name, scalar or guess_type(value), value


def parse_tensor(text):
    """Splits TENSOR=DIMS:TYPE into name, shape and format."""
    name, _, rest = text.partition("=")
    if name.startswith('"'):
        name = json.loads(name)
    dims, _, number_format = rest.partition(":")
    shape = [int(dim) for dim in dims.split("x")] if dims else []
    return name, (shape, number_format)


def pack_string(text):
    data = text.encode()
    return struct.pack("<Q", len(data)) + data


def pack_scalar(scalar, value):
    if scalar == "str":
        return pack_string(value)
    return struct.pack(SCALARS[scalar][1], value)


def pack_key(name, scalar, value):
    number = STRING if scalar == "str" else SCALARS[scalar][0]
    data = pack_string(name)
    if not isinstance(value, list):
        return data + struct.pack("<I", number) + pack_scalar(scalar, value)
    data += struct.pack("<IIQ", ARRAY, number, len(value))
    return data + b"".join(pack_scalar(scalar, item) for item in value)


def pad(size):
    return -size % ALIGNMENT


def pack_header(keys, tensors):
    """The bytes of the header, padded to the start of the tensor data."""
    data = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(keys))
    for name, (scalar, value) in keys.items():
        data += pack_key(name, scalar, value)
    offset = 0
    for name, (shape, number_format) in tensors.items():
        number, block_elements, block_bytes = FORMATS[number_format]
        data += pack_string(name) + struct.pack("<I", len(shape))
        data += struct.pack(f"<{len(shape)}q", *shape)
        data += struct.pack("<IQ", number, offset)
        size = block_bytes
        for dim in shape:
            size *= dim
        size //= block_elements
        offset += size + pad(size)
    return data + bytes(pad(len(data)))


def main():
    preset, output, *changes = sys.argv[1:]
    architecture = get_architecture(preset)
    keys = make_keys(preset)
    # The number of layers depends on the key, wherever it is.
    layers = [parse_key(c)[2] for c in changes if c.startswith("block_count=")]
    tensors = make_tensors(preset, layers[-1] if layers else 1)
    for change in changes:
        if change.startswith("-"):
            del keys[change[1:]]
        elif change.startswith("~"):
            del tensors[change[1:]]
        elif change.startswith("+"):
            name, tensor = parse_tensor(change[1:])
            tensors[name] = tensor
        else:
            name, scalar, value = parse_key(change)
            keys[name] = (scalar, value)
    named = {
        name[1:] if name.startswith(".") else f"{architecture}.{name}": key
        for name, key in keys.items()
    }
    header = pack_header(named, tensors)
    if output == "-":
        sys.stdout.buffer.write(header)
    else:
        with open(output, "wb") as file:
            file.write(header)


if __name__ == "__main__":
    main()
