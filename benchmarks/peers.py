# Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the bytes that a decode step reads from the host: Lane's policies and
the rules of other programs.

usage: peers.py BIN FOLDER

Places every model of FOLDER at 25, 50, 75 and 95 % of its whole. Each rule is
reimplemented from its published source, and placed on the same program with the
same cost: the bytes that a step reads of each matrix.

- llama.cpp, `--fit` (ggml-org/llama.cpp, common/fit.cpp; it logs "filling them
  front-to-back with overflow to system memory"): the token embeddings stay on the
  host. In models with experts, the experts of trailing layers move; in the last of
  these layers, only as many stacks as needed. Then, and in dense models, whole
  leading layers move with their caches, and the head last. The CPU computes with
  what is on the host. The cost includes its reads of the caches, for a full context.
- vLLM, `--cpu-offload-gb` with UVA (vllm/model_executor/offloader/uva.py):
  parameters of the layers move in order until the requested bytes are free. The
  embeddings and the head never move.
- accelerate, `infer_auto_device_map` (accelerate/utils/modeling.py): modules stay on
  the device in order, whole layers at a time, with room for the largest layer kept
  free. The first that does not fit and all after it move. Each step copies them.

Prints a table in Markdown. A dash marks a rule that finds no placement.
"""

import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "test" / "lane-plan"))
import check_sweep

SHARES = (25, 50, 75, 95)
# The parameters of a layer in the order of vLLM's modules.
LAYER_ORDER = (
    "attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate_inp", "ffn_gate",
    "ffn_up", "ffn_down",
)


class Upload:
    def __init__(self, name, size, traffic):
        self.name, self.size, self.traffic = name, size, traffic
        match = re.match(r"blk\.(\d+)\.(.*)", name)
        self.layer = int(match[1]) if match else None
        self.part = match[2] if match else name
        self.is_expert = "_exps." in self.part

    def position(self):
        for index, prefix in enumerate(LAYER_ORDER):
            if self.part.startswith(prefix):
                return index
        return len(LAYER_ORDER)


class Model:
    def __init__(self, tools, path):
        run = check_sweep.run
        self.name = path.stem
        program = run([tools / "lane-translate", "--import-gguf", path])
        self.planned = run(
            [tools / "lane-opt", "--arena-plan", "--residence-plan"], program
        )
        plan = json.loads(
            run([tools / "lane-translate", "--export-plan-json"], self.planned)
        )
        self.tools = tools
        self.resident = plan["arena"] + plan["fixed"]
        self.whole = plan["whole"]
        traffic = check_sweep.step_bytes(path, program.decode())
        for alias, owner in plan["shares"].items():
            traffic.setdefault(owner, traffic.get(alias, 0))
        self.uploads = [
            Upload(name, size, traffic.get(name, 0))
            for name, size in plan["order"]
        ]
        layers = {u.layer for u in self.uploads if u.layer is not None}
        self.layers = sorted(layers)
        self.cache = self.layer_caches(program.decode())

    def layer_caches(self, text):
        """Returns the bytes of carried state of each layer."""
        caches = {}
        pattern = r"lane\.state @\S*?\.(\d+) : !lane\.buffer<([\dx]+)x([fi])(\d+)>"
        for layer, shape, _, bits in re.findall(pattern, text):
            size = int(bits) // 8
            for dimension in shape.split("x"):
                size *= int(dimension)
            caches[int(layer)] = caches.get(int(layer), 0) + size
        return caches

    def place(self, budget, policy):
        """Returns the traffic of one of Lane's policies, with the bound."""
        option = f"--residence-place=budget={budget} policy={policy}"
        placed = subprocess.run(
            [self.tools / "lane-opt", option], input=self.planned,
            capture_output=True,
        )
        if placed.returncode:
            return None
        exported = check_sweep.run(
            [self.tools / "lane-translate", "--export-plan-json"], placed.stdout
        )
        return json.loads(exported)["traffic"]


def step(moved):
    return sum(upload.traffic for upload in moved)


def llama_fit(model, budget):
    moved = {u for u in model.uploads if u.name == "token_embd.weight"}
    device = model.whole - sum(u.size for u in moved)
    caches = 0

    def move(upload):
        nonlocal device
        if upload not in moved:
            moved.add(upload)
            device -= upload.size

    for layer in reversed(model.layers):
        for upload in model.uploads:
            if device <= budget:
                return step(moved)
            if upload.layer == layer and upload.is_expert:
                move(upload)
    for layer in model.layers:
        if device <= budget:
            return step(moved) + caches
        for upload in model.uploads:
            if upload.layer == layer:
                move(upload)
        device -= model.cache.get(layer, 0)
        caches += model.cache.get(layer, 0)
    for upload in model.uploads:
        if device > budget:
            move(upload)
    return step(moved) + caches if device <= budget else None


def vllm_uva(model, budget):
    moved, device = [], model.whole
    layered = [u for u in model.uploads if u.layer is not None]
    for upload in sorted(layered, key=lambda u: (u.layer, u.position(), u.name)):
        if device <= budget:
            break
        moved.append(upload)
        device -= upload.size
    return step(moved) if device <= budget else None


def accelerate_map(model, budget):
    if model.whole <= budget:
        return 0
    modules = [[u for u in model.uploads if u.part == "token_embd.weight"]]
    for layer in model.layers:
        modules.append([u for u in model.uploads if u.layer == layer])
    modules.append(
        [u for u in model.uploads
         if u.layer is None and u.part != "token_embd.weight"]
    )
    sizes = [sum(u.size for u in module) for module in modules]
    room = budget - model.resident - max(sizes[1:-1])
    for index, size in enumerate(sizes):
        if size > room:
            return step(u for module in modules[index:] for u in module)
        room -= size
    return 0


PEERS = (llama_fit, vllm_uva, accelerate_map)


def compare(tools, path):
    """Returns a row for each share of the whole, and the errors."""
    model = Model(tools, path)
    largest = max(upload.traffic for upload in model.uploads)
    rows, errors = [], []
    for share in SHARES:
        budget = model.whole * share // 100
        last = model.place(budget, "last-read")
        if last is None:
            rows.append((model.name, share, None))
            continue
        least = model.place(budget, "least-traffic")
        row = [
            last["bound_host_step_bytes"], least["host_step_bytes"],
            last["host_step_bytes"],
        ]
        row += [peer(model, budget) for peer in PEERS]
        rows.append((model.name, share, row))
        if any(other is not None and other < row[1] for other in row[2:]):
            errors.append(f"{model.name} at {share} %: a rule reads less")
        if row[1] > row[0] + largest:
            errors.append(f"{model.name} at {share} %: far from the bound")
    return rows, errors


def show(step_bytes):
    return "–" if step_bytes is None else f"{step_bytes / 1e6:,.1f}"


def main():
    tools, folder = map(pathlib.Path, sys.argv[1:])
    paths = sorted(folder.glob("*.gguf"))
    print("| model | device | bound | least traffic | last read | llama.cpp fit "
          "| vLLM UVA | accelerate |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    failures = []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for rows, errors in pool.map(lambda p: compare(tools, p), paths):
            failures += errors
            for name, share, row in rows:
                cells = ["does not fit", "", "", "", "", ""]
                if row:
                    cells = [show(step_bytes) for step_bytes in row]
                print(f"| {name} | {share} % | {' | '.join(cells)} |")
    for failure in failures:
        print(f"peers.py: error: {failure}", file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
