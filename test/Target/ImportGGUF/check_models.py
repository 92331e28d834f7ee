# Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plans real models, and compares all values with an independent computation.

usage: check_models.py LANE_OPT LANE_TRANSLATE FOLDER

gguf_header.py reads each header in the folder. The expected plan is computed only
from keys, shapes and formats. Prints a line with `error:` for each difference.
"""

import concurrent.futures
import itertools
import json
import os
import pathlib
import re
import subprocess
import sys

import gguf_header

CONTEXTS = (4096, 131072)
# Rows of a prefill and sequences of a batch; 0 means that there is no such form.
FORMS = ((0, 0), (512, 0), (0, 4))

# Published GiB of all tensors.
PUBLISHED_GIB = {
    "Llama-3.1-70B-Q4_K_M": "39.59",
    "Llama-3.1-8B-Q4_K_M": "4.58",
    "Llama-3.1-8B-Q8_0": "7.95",
    "Mixtral-8x7B-Q4_K_M": "26.49",
    "Qwen3-30B-A3B-Q4_K_M": "17.28",
    "Qwen3-32B-Q4_K_M": "18.40",
    "Qwen3-8B-Q4_K_M": "4.68",
}

# Tensors of a layer in the order in which llama.cpp reads them.
READ_ORDER = (
    "attn_q",
    "attn_v",
    "attn_k",
    "attn_output",
    "ffn_gate_inp",
    "ffn_gate",
    "ffn_up",
    "ffn_down",
)


def up256(size):
    return (size + 255) // 256 * 256


class Expected:
    """The expected plan of a model."""

    def __init__(self, path):
        self.keys, self.tensors = gguf_header.read_header(path)
        self.architecture = self.keys["general.architecture"]
        self.layers = self.get("block_count")
        self.matrices = {t.name: t for t in self.tensors if len(t.shape) >= 2}
        self.is_tied = "output.weight" not in self.matrices
        self.has_experts = self.get("expert_count", 0) > 0

    def get(self, key, otherwise=None):
        return self.keys.get(f"{self.architecture}.{key}", otherwise)

    def kv_bytes(self, context, sequences):
        """Keys and values in f16 of each layer."""
        heads = self.get("attention.head_count")
        kv_heads = self.get("attention.head_count_kv")
        if not isinstance(kv_heads, list):
            kv_heads = [kv_heads] * self.layers
        length = self.get("embedding_length") // heads
        key_length = self.get("attention.key_length", length)
        value_length = self.get("attention.value_length", length)
        elements = sum(kv_heads) * (key_length + value_length)
        return sequences * context * elements * 2

    def value_bytes(self):
        vectors = [t for t in self.tensors if len(t.shape) == 1]
        if any(t.format != "f32" for t in vectors):
            raise ValueError("a vector is not f32")
        return sum(up256(t.bytes) for t in vectors)

    def launches(self):
        """Launches of one form: embedding, layers, norm, head and sample."""
        has_head_norms = any("attn_q_norm" in t.name for t in self.tensors)
        attention = 11 + 2 * has_head_norms
        network = 2 + (2 if self.has_experts else 4)
        return 1 + self.layers * (attention + network) + 3

    def upload_bytes(self, name):
        tensor = self.matrices[name]
        elements = tensor.rows * tensor.columns
        if tensor.format == "q8_0":
            return up256(elements) + up256(elements // 32 * 2)
        return up256(tensor.bytes + 32)

    def uploads(self):
        """Bytes of each upload, and the owner of each alias."""
        sizes = {name: self.upload_bytes(name) for name in self.matrices}
        if not self.is_tied:
            return sizes, {}
        # The head owns the upload, since its name comes first.
        sizes["output.weight"] = sizes.pop("token_embd.weight")
        return sizes, {"token_embd.weight": "output.weight"}

    def matrix_class(self, name):
        if name == "token_embd.weight":
            return "gather"
        return "expert" if "_exps." in name else "other"


def loop_bytes(context, sequences):
    """Position, run and count, prompt; more of each in a batch."""
    single = 2 * up256(4) + 2 * up256(4 * context)
    if sequences == 0:
        return single
    batch = 2 * up256(4 * sequences) + up256(4 * context * sequences)
    return single + batch


def expect_plan(expected, context, prefill, batch):
    """The values of the plan that are known in advance."""
    sizes, shares = expected.uploads()
    forms = [1] + [rows for rows in (prefill, batch) if rows != 0]
    terms = {
        "loop": loop_bytes(context, batch),
        "values": expected.value_bytes(),
        "state": expected.kv_bytes(context, max(1, batch)),
        # The ids of each form; all other buffers are in the arena.
        "buffers": sum(up256(4 * rows) for rows in forms),
        "scratch": 0,
    }
    return {
        "terms": terms,
        "fixed": sum(terms.values()),
        "spare": (32 << 20) + (16 << 10) * len(forms) * expected.launches(),
        "order": sizes,
        "shares": shares,
        "classes": {name: expected.matrix_class(name) for name in sizes},
    }


def compare(wanted, plan):
    """Differences from the values that are known in advance, as lines."""
    found = dict(plan, order=dict(plan["order"]))
    for key, value in wanted.items():
        if found[key] == value:
            continue
        if not isinstance(value, dict):
            yield f"{key}: got {found[key]}, expected {value}"
            continue
        for name in sorted(value.keys() | found[key].keys()):
            got, should = found[key].get(name), value.get(name)
            if got != should:
                yield f"{key} of {name}: got {got}, expected {should}"


def check_sums(plan):
    if len(plan["order"]) != len({name for name, _ in plan["order"]}):
        yield "a matrix is twice in the order"
    uploads = sum(size for _, size in plan["order"])
    whole = plan["arena"] + plan["fixed"] + uploads
    if plan["whole"] != whole:
        yield f"whole: got {plan['whole']}, the sum is {whole}"
    if plan["arena"] <= 0:
        yield f"arena: got {plan['arena']}"


def check_order(plan):
    """Orders by class, then by descending last read, then by name."""
    ranks = {"gather": 0, "expert": 1, "other": 2}
    names = [name for name, _ in plan["order"]]
    ordered = sorted(
        names,
        key=lambda name: (
            ranks[plan["classes"][name]],
            -plan["last_read"][name],
            name,
        ),
    )
    if names != ordered:
        yield "the order is not by class, last read and name"


def check_last_reads(expected, plan):
    """Later layers are read later, and the head is read last."""
    last_read = plan["last_read"]
    in_layers = {}
    for name in last_read:
        if match := re.fullmatch(r"blk\.(\d+)\.(\w+?)(_exps)?\.weight", name):
            key = (int(match[1]), READ_ORDER.index(match[2]))
            in_layers[key] = last_read[name]
    reads = [in_layers[key] for key in sorted(in_layers)]
    if reads != sorted(reads):
        yield "last reads do not follow the order of layers and tensors"
    # Attention has four matrices, and a dense network three. The experts of a layer
    # are read by one launch, after the launch of the router.
    launches = expected.layers * (4 + (2 if expected.has_experts else 3))
    if len(set(reads)) != launches:
        yield f"{len(set(reads))} launches read layers, expected {launches}"
    if last_read["output.weight"] <= max(reads):
        yield "the head is not read last"
    if not expected.is_tied and last_read["token_embd.weight"] != 0:
        yield "the embedding is not read first"


def must(command, data):
    done = subprocess.run(command, input=data, capture_output=True)
    # Some models were trained for less than the longest context.
    remark = rb"\S+: remark: a context of \d+ tokens exceeds the \d+ .*\n"
    if done.returncode != 0 or re.sub(remark, b"", done.stderr):
        raise RuntimeError(f"{command}: {done.stderr.decode().strip()}")
    return done.stdout


def make_plan(lane_opt, lane_translate, path, context, prefill, batch):
    options = [f"--context={context}"]
    options += [f"--prefill-rows={prefill}"] if prefill else []
    options += [f"--batch-rows={batch}"] if batch else []
    program = must([lane_translate, "--import-gguf", *options, path], b"")
    passes = ["--arena-plan", "--residence-plan", "--emit-bytecode"]
    planned = must([lane_opt, *passes], program)
    return json.loads(must([lane_translate, "--export-plan-json"], planned))


def check_published(expected, name):
    gib = f"{sum(t.bytes for t in expected.tensors) / 2**30:.2f}"
    published = PUBLISHED_GIB.get(name, gib)
    return [] if gib == published else [f"{gib} GiB, published {published}"]


def check_model(lane_opt, lane_translate, path):
    """The number of plans that were compared, and differences as lines."""
    expected = Expected(path)
    differences = check_published(expected, path.stem)
    plans = list(itertools.product(CONTEXTS, FORMS))
    for context, (prefill, batch) in plans:
        sizes = (context, prefill, batch)
        plan = make_plan(lane_opt, lane_translate, path, *sizes)
        checks = itertools.chain(
            compare(expect_plan(expected, *sizes), plan),
            check_sums(plan),
            check_order(plan),
            check_last_reads(expected, plan),
        )
        differences += [f"{sizes}: {difference}" for difference in checks]
    return len(plans), differences


def main():
    lane_opt, lane_translate, folder = sys.argv[1:]
    # Models whose launches are counted here; check_architectures.py has all models.
    paths = sorted(
        path
        for path in pathlib.Path(folder).glob("*.gguf")
        if re.match("Llama-3|Mixtral|Qwen3-[0-9]", path.name)
    )
    plans = failures = 0
    # The work is in subprocesses, so threads are enough.
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = pool.map(
            lambda path: check_model(lane_opt, lane_translate, path), paths
        )
        for path, (compared, differences) in zip(paths, results):
            plans += compared
            failures += bool(differences)
            for difference in differences:
                print(f"{path.name}: error: {difference}")
    for name in PUBLISHED_GIB.keys() - {path.stem for path in paths}:
        print(f"{name}: error: there is no such file")
        failures += 1
    print(f"compared {len(paths)} models and {plans} plans")
    return 1 if failures or not paths else 0


if __name__ == "__main__":
    sys.exit(main())
