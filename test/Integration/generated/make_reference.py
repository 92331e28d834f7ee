# Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Says what a generated program must hold, from its plan and its checkpoint.

usage: make_reference.py PREFIX PLAN.json OUTPUT FILE...

Writes OUTPUT.h, C++ with the plan's figures and for each pointer that holds
bytes of the checkpoint where they are in OUTPUT.bin. Nothing of Lane's is used
for either: the files are read here.
"""

import json
import pathlib
import re
import sys

sys.path.insert(
    0, str(pathlib.Path(__file__).parents[2] / "Target" / "ImportGGUF")
)
from gguf_header import read_header


def split_q8_0(data):
    """Levels and half scales of q8_0 blocks."""
    blocks = [data[at : at + 34] for at in range(0, len(data), 34)]
    return b"".join(b[2:] for b in blocks), b"".join(b[:2] for b in blocks)


def main():
    prefix, plan, output, *paths = sys.argv[1:]
    plan = json.loads(pathlib.Path(plan).read_text())
    ranks = {name: rank for rank, (name, _) in enumerate(plan["order"])}
    # A tied head has no rows in the files but those of what it is tied to.
    names = {}
    for sharer, holder in plan["shares"].items():
        ranks[sharer] = ranks[holder]
        for name, tied in ((sharer, holder), (holder, sharer)):
            names.setdefault(name, [name]).append(tied)
    arrays = []
    for path in map(pathlib.Path, paths):
        data = path.read_bytes()
        _, tensors = read_header(path)
        # The data is the file's end: its tensors, each padded but the last.
        end = max(tensor.offset + tensor.bytes for tensor in tensors)
        start = len(data) - end
        for tensor in tensors:
            at = start + tensor.offset
            held = data[at : at + tensor.bytes]
            for name in names.get(tensor.name, [tensor.name]):
                rank = ranks.get(name, -1)
                if rank >= 0 and tensor.format == "q8_0":
                    levels, scales = split_q8_0(held)
                    arrays.append((name, rank, levels))
                    arrays.append((name + ".scales", rank, scales))
                else:
                    arrays.append((name, rank, held))

    lines = [f"static const int64_t k{key.capitalize()}Bytes = {plan[key]};"
             for key in ("arena", "fixed", "spare", "whole")]
    lines.append("static const int64_t kUploadBytes[] = {")
    lines += [f"    {size}, // {name}" for name, size in plan["order"]]
    lines.append("};")
    lines.append("static const Array kArrays[] = {")
    offset = 0
    for name, rank, held in arrays:
        identifier = re.sub(r"[^A-Za-z0-9]", "_", f"{prefix}_{name}").upper()
        lines.append(f"    {{{identifier}, {rank}, {offset}, {len(held)}}},")
        offset += len(held)
    lines.append("};")
    pathlib.Path(output + ".h").write_text("\n".join(lines) + "\n")
    pathlib.Path(output + ".bin").write_bytes(b"".join(held for _, _, held in arrays))


if __name__ == "__main__":
    main()
