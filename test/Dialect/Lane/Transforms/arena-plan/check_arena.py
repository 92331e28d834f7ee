# Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Verifies the arenas of real models from the printed programs.

usage: check_arena.py LANE_OPT LANE_TRANSLATE FOLDER

In every form of every model, no two buffers that are live at one launch share a
byte, each is aligned and inside the arena, and the arena is within 5% of the
maximum of live bytes. Prints a line with `error:` for each failure, and the
worst ratio at the end.
"""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

ALIGNMENT = 256
ELEMENT_BYTES = {"f32": 4, "f16": 2, "i32": 4}


def up(size):
    return (size + ALIGNMENT - 1) // ALIGNMENT * ALIGNMENT


class Slot:
    def __init__(self, offset, size):
        self.offset, self.size = offset, size
        self.first = self.last = None

    def touch(self, launch):
        if self.first is None:
            self.first = launch
        self.last = launch


def parse_slots(line):
    """The slots of an alloc, by storage."""
    dims = line.rsplit("!lane.buffer<", 1)[1].rstrip(">").split("x")
    elements = 1
    for dim in dims[:-1]:
        elements *= int(dim)
    slots = []
    for storage, offset in re.findall(
        r"(plain|quantized) <arena\[(\d+)\]>", line
    ):
        size = elements * ELEMENT_BYTES[dims[-1]]
        if storage == "quantized":
            # Quants of a byte each, then an f32 scale for each 32 of them.
            blocks = (elements + 31) // 32
            size = up(elements) + blocks * 4
        slots.append(Slot(int(offset), size))
    return slots


def parse_form(lines):
    """Slots of one form, and its number of launches."""
    buffers, slots, launches = {}, [], 0
    for line in lines:
        name = re.match(r"%([\w.]+) = lane\.(\w+)", line)
        if name and name[2] == "alloc":
            buffers[name[1]] = parse_slots(line)
            slots += buffers[name[1]]
        elif name and name[2] == "view":
            base = re.search(r" of %([\w.]+) at ", line)[1]
            # A view has the lifetime of its base.
            buffers[name[1]] = buffers.get(base, [])
        elif not name:
            for used in set(re.findall(r"%([\w.]+)", line)):
                for slot in buffers.get(used, []):
                    slot.touch(launches)
            launches += 1
    return slots, launches


def check_form(slots, launches, arena):
    live = [[] for _ in range(launches)]
    for slot in slots:
        if slot.offset % ALIGNMENT or slot.offset + slot.size > arena:
            yield f"a slot at {slot.offset} of {slot.size} bytes in {arena}"
        for launch in range(slot.first, slot.last + 1):
            live[launch].append(slot)
    most = 0
    for launch, crowd in enumerate(live):
        crowd.sort(key=lambda slot: slot.offset)
        for before, after in zip(crowd, crowd[1:]):
            if before.offset + before.size > after.offset:
                yield f"launch {launch}: {before.offset} and {after.offset}"
        most = max(most, sum(up(slot.size) for slot in crowd))
    yield arena / most


def run(command, data=b""):
    done = subprocess.run(command, input=data, capture_output=True, check=True)
    return done.stdout


def check_model(lane_opt, lane_translate, path):
    options = ["--context=4096", "--prefill-rows=512", "--batch-rows=8"]
    program = run([lane_translate, "--import-gguf", *options, path])
    text = run([lane_opt, "--arena-plan"], program).decode()
    results = []
    for form in re.split(r"^ {4}lane\.form ", text, flags=re.MULTILINE)[1:]:
        head, *lines = form.splitlines()
        arena = int(re.search(r"arena\((\d+)\)", head)[1])
        body = [line.strip() for line in lines if line.startswith(" " * 6)]
        slots, launches = parse_form(body)
        results += check_form(slots, launches, arena)
    return results


def main():
    lane_opt, lane_translate = sys.argv[1:3]
    paths = sorted(pathlib.Path(sys.argv[3]).glob("*.gguf"))
    worst, forms, failures = 0, 0, 0
    # The work is in subprocesses, so threads are enough.
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        checked = pool.map(
            lambda path: check_model(lane_opt, lane_translate, path), paths
        )
        for path, results in zip(paths, checked):
            for result in results:
                if isinstance(result, str):
                    failures += 1
                    print(f"{path.name}: error: {result}")
                else:
                    forms += 1
                    worst = max(worst, result)
    if worst > 1.05:
        failures += 1
        print(f"error: an arena is {worst:.4f} times its lower bound")
    print(f"checked {forms} forms of {len(paths)} models")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
