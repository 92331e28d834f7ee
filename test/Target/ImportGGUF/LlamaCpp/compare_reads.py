# Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the reads of Lane's programs with those of llama.cpp's graphs.

usage: compare_reads.py TRACE_READS CPU-BACKEND LANE_OPT LANE_TRANSLATE FOLDER
                        [ARCHITECTURE...]

Writes tiny models to FOLDER, runs a decode step of each with both, and prints a
table with a row for each architecture: the weights that are read, the class of each
matrix, the order of the last reads, and the bytes of the caches and states.
"""

import collections
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys

import further_models
import other_models

CONTEXT, BATCH = 1024, 8
# llama.cpp allocates caches in steps of so many positions.
CELLS = 256
BYTES = {"f16": 2, "f32": 4}

State = collections.namedtuple("State", "is_cache rows row_bytes")


def run(*command, data=b""):
    done = subprocess.run(command, input=data, capture_output=True)
    if done.returncode != 0:
        lines = done.stderr.decode(errors="replace").strip().splitlines() or ["?"]
        # llama.cpp logs the reason before its last lines.
        reasons = [line for line in lines if "rror" in line]
        raise RuntimeError((reasons or lines)[0])
    return done.stdout


class Reads:
    """The last read of each weight, the class of each, and the states by layer."""

    def __init__(self):
        self.last, self.classes = {}, {}
        self.states = collections.defaultdict(list)


def trace_llama(trace, backend, path, tensors):
    """The reads of llama.cpp; an input of the graph is not a weight."""
    reads, operations = Reads(), collections.defaultdict(set)
    states = {}
    output = run(trace, backend, str(path), str(CONTEXT), str(BATCH)).decode()
    for line in output.splitlines():
        kind, node, operation, name, *shape = line.split("\t")
        if kind == "STATE":
            number_format, columns, rows = shape[0], int(shape[1]), int(shape[2])
            # A layer may have two caches of one name and different columns.
            row_bytes = columns * BYTES[number_format]
            states[name, columns] = State(True, rows, row_bytes)
        elif name in tensors:
            reads.last[name] = int(node)
            operations[name].add(operation)
    for name, used in operations.items():
        if used == {"GET_ROWS"}:
            reads.classes[name] = "gather"
        elif used <= {"MUL_MAT_ID", "ADD_ID"}:
            reads.classes[name] = "expert"
        else:
            reads.classes[name] = "other"
    for (name, _), state in states.items():
        reads.states[int(re.search(r"\d+$", name)[0])].append(state)
    return reads


def import_lane(lane_opt, lane_translate, path, options):
    """The reads of Lane's program."""
    reads = Reads()
    program = run(
        lane_translate, "--import-gguf", f"--context={CONTEXT}", *options, str(path)
    )
    planned = run(lane_opt, "--arena-plan", "--residence-plan", data=program)
    plan = json.loads(run(lane_translate, "--export-plan-json", data=planned))
    reads.classes = plan["classes"]
    text = program.decode()
    symbols = set(re.findall(r"lane\.(?:matrix|values) @(\S+) ", text))
    for index, launch in enumerate(re.findall(r"^ {6}lane\..*", text, re.MULTILINE)):
        for name in re.findall(r"%([\w.]+)", launch):
            if name in symbols:
                reads.last[name] = index
    for name, shape in re.findall(r"lane\.state @(\S+) : !lane\.buffer<(\S+)>", text):
        rows, columns, number_format = shape.split("x")
        row_bytes = int(columns) * BYTES[number_format]
        reads.states[int(name.rpartition(".")[2])].append(
            State(name.startswith("cache"), int(rows), row_bytes)
        )
    return reads


def untie(reads, tensors):
    """Merges a tied head, which is a matrix of its own, with the table."""
    if "output.weight" in tensors or "output.weight" not in reads.last:
        return
    reads.last["token_embd.weight"] = reads.last.pop("output.weight")
    reads.classes["token_embd.weight"] = reads.classes.pop("output.weight")


def short(names):
    """The names without the layers, sorted."""
    return ", ".join(sorted({re.sub(r"^blk\.\d+\.", "", name) for name in names}))


def compare_weights(llama, lane):
    parts = []
    for who, names in (
        ("llama.cpp", llama.last.keys() - lane.last.keys()),
        ("Lane", lane.last.keys() - llama.last.keys()),
    ):
        if names:
            parts.append(f"only {who} reads {short(names)}")
    return "; ".join(parts)


def compare_classes(llama, lane):
    """Vectors of f32 have no class: they never move."""
    parts = []
    for name in sorted(llama.classes.keys() & lane.classes.keys()):
        if llama.classes[name] != lane.classes[name]:
            parts.append(
                f"{short([name])} is {llama.classes[name]}, not {lane.classes[name]}"
            )
    return "; ".join(dict.fromkeys(parts))


def compare_order(llama, lane, with_vectors):
    """Weights that one launch of Lane reads have no order."""
    names = llama.last.keys() & lane.last.keys()
    if not with_vectors:
        names &= lane.classes.keys()
    names = sorted(names, key=llama.last.get)
    parts = []
    for index, first in enumerate(names):
        for second in names[index + 1 :]:
            if lane.last[first] > lane.last[second]:
                if llama.last[first] != llama.last[second]:
                    parts.append(f"{short([first])} before {short([second])}")
    return "; ".join(dict.fromkeys(parts))


def compare_states(llama, lane):
    """llama.cpp's cache of a window also has the rows of a batch."""
    parts = []
    for layer in sorted(llama.states.keys() | lane.states.keys()):
        theirs, ours = llama.states[layer], lane.states[layer]
        total = sum(state.rows * state.row_bytes for state in theirs)
        expected = 0
        for state in ours:
            rows = state.rows
            if state.is_cache and rows != CONTEXT:
                rows = min(CONTEXT, (rows + BATCH + CELLS - 1) // CELLS * CELLS)
            expected += rows * state.row_bytes
        if total != expected:
            parts.append(f"layer {layer}: {total} bytes instead of {expected}")
    return "; ".join(parts)


def compare(tools, folder, architecture, variant, model, options):
    trace, backend, lane_opt, lane_translate = tools
    stem = re.sub(r"\W+", "-", f"{architecture}-{variant}")
    path = folder / f"{stem}.gguf"
    model.write(path)
    llama = trace_llama(trace, backend, path, model.tensors)
    lane = import_lane(lane_opt, lane_translate, path, options)
    untie(lane, model.tensors)
    return (
        compare_weights(llama, lane),
        compare_classes(llama, lane),
        compare_order(llama, lane, with_vectors=not options),
        compare_states(llama, lane),
    )


def main():
    *tools, folder = sys.argv[1:6]
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    jobs = []
    for models, options in (
        (further_models.MODELS, []),
        (other_models.MODELS, ["--generic"]),
    ):
        for architecture in sorted(models):
            if sys.argv[6:] and architecture not in sys.argv[6:]:
                continue
            for variant, make in models[architecture].items():
                jobs.append((architecture, variant, make(), options))

    def attempt(job):
        try:
            return compare(tools, folder, *job)
        except RuntimeError as error:
            return f"error: {error}", "unknown", "unknown", "unknown"

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(attempt, jobs))
    rows = collections.defaultdict(list)
    for (architecture, variant, _, options), result in zip(jobs, results):
        rows[" ".join([f"`{architecture}`", *options])].append((variant, result))
    print("| architecture | variants | weights | classes | order | cache bytes |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name, variants in rows.items():
        cells = [name, str(len(variants))]
        for column in range(4):
            differences = [
                f"{variant}: {result[column]}"
                for variant, result in variants
                if result[column]
            ]
            cells.append("; ".join(differences) or "agree")
        print("| " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
