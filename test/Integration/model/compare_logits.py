# Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the logits of compiled models with those of llama.cpp.

usage: compare_logits.py TRACE CPU-BACKEND BIN LLVM_BIN RUNNER-COMMAND FOLDER

Writes tiny models with random data to FOLDER. Runs a prompt of four tokens and one
more step of each, with llama.cpp and compiled by Lane, on the fake CUDA runtime at
several budgets. RUNNER-COMMAND links the object %o to the runner. Prints tables of the
largest difference of a logit, as a part of the range of all logits. It is an error if
it exceeds its bound, or if another token has the highest logit.
"""

import array
import concurrent.futures
import json
import math
import os
import pathlib
import random
import re
import shlex
import struct
import subprocess
import sys

TEST = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(TEST / "Target" / "ImportGGUF" / "LlamaCpp"))
import further_models
import tiny_model

TOKENS, CONTEXT, SEED = [3, 4, 5, 6, 7], 64, 2
# The largest difference that is accepted. llama.cpp rounds activations to 8 bits
# where it multiplies them by quantized weights, in blocks of 32 or 256 elements
# that have fp16 scales, or f32; Lane in blocks of 32 with f32 scales. Both round
# the cache to fp16. llama.cpp also rounds activations to the format of fp16 and bf16
# weights, and queries to fp16.
BOUNDS = {"f32": 1e-3, "f16": 1e-3, "bf16": 1e-2}
QUANTIZED_BOUND = 2e-2
# Offsets of the fp16 scales of a block, and their values.
SCALES = {
    "q8_0": {0: 0.0008},
    "q4_0": {0: 0.012},
    "q4_1": {0: 0.012, 2: -0.09},
    "q5_0": {0: 0.006},
    "q5_1": {0: 0.006, 2: -0.09},
    "q2_K": {80: 0.004, 82: 0.006},
    "q3_K": {108: 0.001},
    "q4_K": {0: 0.0002, 2: 0.0016},
    "q5_K": {0: 0.0001, 2: 0.0016},
    "q6_K": {208: 0.00003},
    "iq4_nl": {0: 0.0008},
    "iq4_xs": {0: 0.00003},
    "mxfp4": {},
}


def run(*command, **options):
    done = subprocess.run(command, capture_output=True, **options)
    if done.returncode != 0:
        lines = (done.stderr or done.stdout).decode(errors="replace").splitlines()
        raise RuntimeError(next((line for line in lines if "rror" in line), lines[-1:]))
    return done.stdout


def make_data(rng, tensor):
    name, number_format, size = tensor["name"], tensor["format"], tensor["bytes"]
    if number_format in ("f32", "f16", "bf16"):
        base = 1.0 if "norm" in name or "rope_f" in name else 0.0
        count = size // (4 if number_format == "f32" else 2)
        values = [base + rng.uniform(-0.1, 0.1) for _ in range(count)]
        if number_format == "f16":
            return struct.pack(f"<{count}e", *values)
        data = array.array("f", values).tobytes()
        if number_format == "f32":
            return data
        return b"".join(data[i + 2 : i + 4] for i in range(0, len(data), 4))
    _, block_bytes = tiny_model.make_header.FORMATS[number_format][1:]
    data = bytearray(rng.randbytes(size))
    for start in range(0, size, block_bytes):
        for offset, value in SCALES[number_format].items():
            struct.pack_into("<e", data, start + offset, value)
        if number_format == "mxfp4":
            data[start] = 120 + data[start] % 4
    return bytes(data)


def write_model(model, number_format, path, tools):
    for name, (shape, old) in list(model.tensors.items()):
        if old == "q8_0":
            model.tensors[name] = (shape, number_format)
    model.write(path)
    listing = json.loads(run(tools / "lane-translate", "--checkpoint-to-json", path))
    rng = random.Random(SEED)
    with open(path, "r+b") as file:
        for tensor in listing["tensors"]:
            file.seek(tensor["offset"])
            file.write(make_data(rng, tensor))


def compile_model(folder, options, tools, llvm, link):
    planned = folder / "planned.mlir"
    program = run(tools / "lane-translate", "--import-gguf", folder / "model.gguf",
                  f"--context={CONTEXT}", *options)
    passes = ["--convert-lane-to-linalg", "--arena-plan", "--residence-plan"]
    run(tools / "lane-opt", *passes, "-", "-o", planned, input=program)
    code = run(tools / "lane-opt", "--lane-to-llvm", planned)
    code = run(llvm / "mlir-translate", "--mlir-to-llvmir", input=code)
    run(llvm / "llc", "-O2", "-filetype=obj", "-relocation-model=pic", "-o",
        folder / "model.o", input=code)
    run(*(part.replace("%o", str(folder / "model.o")) for part in shlex.split(link)),
        "-o", folder / "logits")
    emitted = run(tools / "lane-opt", "--residence-to-host=target=cpp", planned)
    header = run(tools / "lane-translate", "--emit-cpp", "--cpp-file=header",
                 input=emitted).decode()
    pointers = re.findall(r"^ *(LANE_MODEL_\w+)(?: = \d+)?,", header, re.M)
    plan = json.loads(run(tools / "lane-translate", "--export-plan-json", planned))
    return pointers, plan


def get_budgets(plan, is_every):
    """All on the device, half of the matrices, none; or each number of them."""
    sizes = [plan["whole"] + plan["spare"]]
    for _, upload_bytes in plan["order"]:
        sizes.append(sizes[-1] - upload_bytes)
    return sizes if is_every else [sizes[0], sizes[len(sizes) // 2], sizes[-1]]


def read_floats(path):
    return array.array("f", pathlib.Path(path).read_bytes())


def compare(model, number_format, options, arguments):
    trace, backend, tools, llvm, link, folder, is_every = arguments
    folder.mkdir(parents=True, exist_ok=True)
    write_model(model, number_format, folder / "model.gguf", tools)
    run(trace, backend, folder / "model.gguf", "1024", "8", folder / "llama.bin")
    pointers, plan = compile_model(folder, options, tools, llvm, link)
    wanted = ["DECODE_IDS", "DECODE_POSITION", "DECODE_LOGITS"]
    if options:
        wanted += ["PREFILL_IDS", "PREFILL_POSITION"]
    indices = [pointers.index(f"LANE_MODEL_{name}") for name in wanted]
    if options:
        indices.append(4)
    expected = read_floats(folder / "llama.bin")
    run(folder / "logits", "lane.bin", str(len(expected)),
        ",".join(map(str, TOKENS)), ",".join(map(str, indices)),
        *map(str, get_budgets(plan, is_every)), cwd=folder)
    found = read_floats(folder / "lane.bin")
    span = max(expected) - min(expected)
    difference = max(abs(x - y) for x, y in zip(found, expected)) / span
    if math.isnan(difference):
        raise RuntimeError("a logit is not a number")
    if found.index(max(found)) != expected.index(max(expected)):
        raise RuntimeError("another token has the highest logit")
    if difference > BOUNDS.get(number_format, QUANTIZED_BOUND):
        raise RuntimeError(f"differs by {difference:.1e}")
    return difference


def make_wide():
    """A llama whose rows are whole blocks of all formats."""
    tiny_model.EMBEDDING, embedding = 256, tiny_model.EMBEDDING
    model = tiny_model.Model("llama", layers=2, head=64, width=512)
    model.ends()
    for layer in range(2):
        model.norms(layer, "attn_norm", "ffn_norm")
        model.attention(layer)
        model.network(layer)
    tiny_model.EMBEDDING = embedding
    return model


# Launches of these have no code.
WITHOUT_CODE = {"gemma3n", "llama4", "qwen3next"}
# Models that are compared at each budget that changes their placement.
AT_EVERY_BUDGET = {"llama", "qwen3moe"}


def list_cases():
    """Columns of the table by row: a model, a format and options of the import."""
    for architecture, variants in sorted(further_models.MODELS.items()):
        if architecture not in WITHOUT_CODE:
            make = variants.get("plain", next(iter(variants.values())))
            yield architecture, "f32", make, "f32", []
            yield architecture, "q8_0", make, "q8_0", []
            yield architecture, "prefill, f32", make, "f32", ["--prefill-rows=4"]
    for number_format in ["f16", "bf16", *list(SCALES)[1:]]:
        yield "llama", number_format, make_wide, number_format, []


def print_table(columns, rows):
    print("| " + " | ".join(columns) + " |")
    print("| " + " | ".join("---" for _ in columns) + " |")
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print()


def main():
    trace, backend, tools, llvm, link, folder = sys.argv[1:7]
    shared = (trace, backend, pathlib.Path(tools), pathlib.Path(llvm), link)
    # `make_wide` changes a module, so models are made in one thread.
    cases = [
        (architecture, column, make(), number_format, options)
        for architecture, column, make, number_format, options in list_cases()
    ]

    def attempt(case):
        architecture, column, model, number_format, options = case
        path = pathlib.Path(folder) / re.sub(r"\W+", "-", f"{architecture}-{column}")
        is_every = architecture in AT_EVERY_BUDGET and column == "q8_0"
        try:
            return "%.1e" % compare(
                model, number_format, options, (*shared, path, is_every)
            )
        except (RuntimeError, ValueError) as error:
            return f"error: {error}"

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(attempt, cases))
    columns = ["f32", "q8_0", "prefill, f32"]
    by_architecture, by_format = {}, []
    for (architecture, column, *_), result in zip(cases, results):
        if column in columns:
            by_architecture.setdefault(architecture, []).append(result)
        else:
            by_format.append([column, result])
    print_table(
        ["architecture", *columns],
        [[f"`{name}`", *row] for name, row in by_architecture.items()],
    )
    print_table(["format", "`llama`"], by_format)


if __name__ == "__main__":
    main()
