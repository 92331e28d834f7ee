# Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Imports every real model and compares it with the table of architectures.

usage: check_architectures.py LANE_OPT LANE_TRANSLATE FOLDER

Compares for each model: the bytes of every matrix with those of its tensor, the
order in which launches read the tensors of each layer with arch_tensors.tsv, the
unread tensors, the bytes of the state with the formulas below, and the sizes with
published_sizes.tsv. Prints a line with `error:` for each difference.
"""

import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys

import gguf_header
from check_models import check_order, check_sums, up256

# Bytes of a value in a cache.
F16, F32 = 2, 4


def state_bytes(name, tokens):
    """Bytes of the state of a sequence of `tokens` tokens."""
    near = lambda window: min(tokens, window)
    # Layers, number of key and value heads, and the length of a key and a value.
    grouped = {
        "GLM-4.5-Air": (46, 8, 128 + 128),
        "Llama-3.1-70B": (80, 8, 128 + 128),
        "Llama-3.1-8B": (32, 8, 128 + 128),
        "MiniMax-M2.5": (62, 8, 128 + 128),
        "Mixtral-8x7B": (32, 8, 128 + 128),
        "Phi-3.5-MoE": (32, 8, 128 + 128),
        "Qwen3-0.6B": (28, 8, 128 + 128),
        "Qwen3-235B-A22B": (94, 4, 128 + 128),
        "Qwen3-30B-A3B": (48, 4, 128 + 128),
        "Qwen3-32B": (64, 8, 128 + 128),
        "Qwen3-8B": (36, 8, 128 + 128),
    }
    if name in grouped:
        layers, heads, length = grouped[name]
        return layers * tokens * heads * length * F16
    # One latent row of 512 and a rotated key of 64 for all heads.
    if name in ("DeepSeek-V3", "Kimi-K2"):
        return 61 * tokens * (512 + 64) * F16
    # Every fourth of 48 layers has no window, the others attend to their chunk.
    if name.startswith("Llama-4"):
        return (12 * tokens + 36 * near(8192)) * 8 * (128 + 128) * F16
    # Every sixth of 62 layers has no window.
    if name == "gemma-3-27b":
        return (10 * tokens + 52 * near(1024)) * 16 * (128 + 128) * F16
    # Of the first 20 layers, every fifth has no window; the last 15 have no caches.
    if name == "gemma-3n-E4B":
        return (4 * tokens + 16 * near(512)) * 2 * (256 + 256) * F16
    # Every second layer has no window.
    if name.startswith("gpt-oss"):
        half = {"gpt-oss-20b": 12, "gpt-oss-120b": 18}[name]
        return half * (tokens + near(128)) * 8 * (64 + 64) * F16
    # Every fourth of 48 layers has caches. The others have the last 3 inputs of a
    # convolution, and a state of 128 by 128 for each of 32 heads.
    if name == "Qwen3-Next-80B-A3B":
        caches = 12 * tokens * 2 * (256 + 256) * F16
        return caches + 36 * (3 * 8192 + 32 * 128 * 128) * F32
    raise ValueError(f"{name}: no formula")


def model_name(path):
    return re.sub(r"-(Q\w+|IQ\w+|MXFP4_MOE)$", "", path.stem)


def read_table(path):
    """Names of a layer's tensors in read order, by architecture. Layers that
    differ have one list each."""
    orders = {}
    for line in path.read_text().splitlines()[2:]:
        architecture, block, _, name = line.split("\t")[:4]
        if not block.startswith("layer") or name.startswith("rope_"):
            continue
        # Mixtral's layers are listed separately from those of dense models.
        block = architecture + block
        blocks = orders.setdefault(architecture.split("(")[0], {})
        blocks.setdefault(block, []).append(name)
    # Rows of attention and of the network, if the table separates them.
    joined = {}
    for architecture, blocks in orders.items():
        if architecture == "deepseek2":
            first, *networks = blocks.values()
            blocks = {"": first + [name for part in networks for name in part]}
        joined[architecture] = list(blocks.values())
    # The table describes the dense layers of these in a note.
    for architecture in ("glm4moe", "llama4"):
        joined[architecture][0] += [
            "ffn_gate.weight",
            "ffn_up.weight",
            "ffn_down.weight",
        ]
    return joined


def is_unread(keys, name):
    """Whether a decode step reads no such tensor."""
    architecture = keys["general.architecture"]
    match = re.match(r"blk\.(\d+)\.(.*)", name)
    layer = int(match[1]) if match else -1
    if architecture == "glm4moe":
        return layer == keys["glm4moe.block_count"] - 1
    if architecture == "gemma3n":
        return layer >= 20 and bool(re.match(r"attn_(k|v|k_norm)\.", match[2]))
    return name == "rope_factors_long.weight"


def first_reads(text):
    """The first launch of the decode form that reads each tensor, by name."""
    reads = {}
    launches = re.findall(r"^ {6}lane\.(?!form).*", text, re.MULTILINE)
    for index, launch in enumerate(launches):
        for name in re.findall(r"%([\w.]+)", launch):
            reads.setdefault(name, index)
    return reads


def check_reads(keys, tensors, reads, table):
    architecture = keys["general.architecture"]
    for tensor in tensors:
        if is_unread(keys, tensor.name) != (tensor.name not in reads):
            yield f"{tensor.name}: read or unread, unlike the table"
    for layer in range(keys[f"{architecture}.block_count"]):
        for order in table[architecture]:
            indices = [
                reads[f"blk.{layer}.{name}"]
                for name in order
                if f"blk.{layer}.{name}" in reads
            ]
            if indices != sorted(indices):
                yield f"layer {layer} is not read in the order of the table"


def check_bytes(keys, tensors, plan):
    """The bytes of each upload are those of its tensor, if a step reads it."""
    order = dict(plan["order"])
    is_tied = all(tensor.name != "output.weight" for tensor in tensors)
    wanted = {}
    for tensor in tensors:
        if len(tensor.shape) < 2 or is_unread(keys, tensor.name):
            continue
        size = up256(tensor.bytes + 32)
        if tensor.format == "q8_0":
            elements = tensor.rows * tensor.columns
            size = up256(elements) + up256(elements // 32 * 2)
        # The upload of a tied head is that of both, since its name comes first.
        name = tensor.name
        if is_tied and name == "token_embd.weight":
            name = "output.weight"
        wanted[name] = size
    for name in sorted(wanted.keys() | order.keys()):
        if wanted.get(name) != order.get(name):
            yield f"{name}: got {order.get(name)}, expected {wanted.get(name)}"


def check_classes(plan):
    """Classifies by name: a third dimension does not imply experts."""
    for name, found in plan["classes"].items():
        wanted = "other"
        if name in ("token_embd.weight", "per_layer_token_embd.weight"):
            wanted = "gather"
        elif "_exps." in name:
            wanted = "expert"
        if found != wanted:
            yield f"{name}: class {found}, expected {wanted}"


def check_published(folder, path, tensors):
    for line in (folder / "published_sizes.tsv").read_text().splitlines()[1:]:
        _, model, kind, size, parameters = line.split("\t")[:5]
        if path.stem != f"{model}-{kind}":
            continue
        gib = f"{sum(tensor.bytes for tensor in tensors) / 2**30:.2f}"
        if gib != size:
            yield f"{gib} GiB, published {size}"
        count = sum(tensor.rows * tensor.columns for tensor in tensors)
        if parameters and f"{count / 1e9:.2f}" != parameters:
            yield f"{count / 1e9:.2f}e9 parameters, published {parameters}"


def run(command, data=b""):
    done = subprocess.run(command, input=data, capture_output=True)
    errors = done.stderr.decode()
    if done.returncode != 0 or re.search("error|warning", errors):
        raise RuntimeError(f"{command}: {errors.strip()}")
    return done.stdout


def check_model(lane_opt, lane_translate, path, table):
    keys, tensors = gguf_header.read_header(path)
    yield from check_published(path.parent, path, tensors)
    for tokens in (4096, 131072):
        program = run([lane_translate, "--import-gguf", f"--context={tokens}",
                       path])
        planned = run([lane_opt, "--arena-plan", "--residence-plan"], program)
        plan = json.loads(run([lane_translate, "--export-plan-json"], planned))
        found = plan["terms"]["state"]
        wanted = state_bytes(model_name(path), tokens)
        if found != wanted:
            yield f"state of {tokens} tokens: got {found}, expected {wanted}"
        yield from check_bytes(keys, tensors, plan)
        yield from check_classes(plan)
        yield from check_order(plan)
        yield from check_sums(plan)
        yield from check_reads(
            keys, tensors, first_reads(program.decode()), table
        )


def main():
    lane_opt, lane_translate = sys.argv[1:3]
    folder = pathlib.Path(sys.argv[3])
    table = read_table(folder / "arch_tensors.tsv")
    paths = sorted(folder.glob("*.gguf"))
    failures = 0
    # The work is in subprocesses, so threads are enough.
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = pool.map(
            lambda path: list(
                check_model(lane_opt, lane_translate, path, table)
            ),
            paths,
        )
        for path, differences in zip(paths, results):
            failures += bool(differences)
            for difference in differences[:20]:
                print(f"{path.name}: error: {difference}")
    print(f"compared {len(paths)} models")
    return 1 if failures or not paths else 0


if __name__ == "__main__":
    sys.exit(main())
