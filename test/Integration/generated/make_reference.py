# Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the bytes that a generated program must hold, from its plan and checkpoint.

usage: make_reference.py PREFIX PLAN.json OUTPUT FILE...

Writes OUTPUT.h, C++ with the plan's bytes, and for each pointer to checkpoint bytes
their offset in OUTPUT.bin. It reads the files, in GGUF or safetensors, itself and uses
nothing of Lane. The program has all tensors but those named "unused...".
"""

import json
import pathlib
import re
import sys

TEST = pathlib.Path(__file__).parents[2]
sys.path[:0] = [str(TEST / "Target" / "ImportGGUF"), str(TEST / "Checkpoint")]
from gguf_header import read_header
from make_safetensors import read_file


def split_q8_0(data):
    """Quants and fp16 scales of q8_0 blocks."""
    blocks = [data[at : at + 34] for at in range(0, len(data), 34)]
    return b"".join(b[2:] for b in blocks), b"".join(b[:2] for b in blocks)


def read_tensors(path):
    """The name, format and bytes of each tensor that the program has."""
    if path.suffix == ".safetensors":
        for name, (dtype, _, held) in read_file(path).items():
            if not name.startswith("unused"):
                yield name, dtype, held
        return
    data = path.read_bytes()
    _, tensors = read_header(path)
    # The data is at the file's end: its tensors, all but the last padded.
    start = len(data) - max(tensor.offset + tensor.bytes for tensor in tensors)
    for tensor in tensors:
        at = start + tensor.offset
        yield tensor.name, tensor.format, data[at : at + tensor.bytes]


def main():
    prefix, plan, output, *paths = sys.argv[1:]
    plan = json.loads(pathlib.Path(plan).read_text())
    ranks = {name: rank for rank, (name, _) in enumerate(plan["order"])}
    # A tied head has the rows of its table.
    names = {}
    for alias, owner in plan["shares"].items():
        ranks[alias] = ranks[owner]
        for name, tied in ((alias, owner), (owner, alias)):
            names.setdefault(name, [name]).append(tied)
    arrays = []
    for path in map(pathlib.Path, paths):
        for tensor, number_format, held in read_tensors(path):
            for name in names.get(tensor, [tensor]):
                rank = ranks.get(name, -1)
                if rank >= 0 and number_format == "q8_0":
                    quants, scales = split_q8_0(held)
                    arrays.append((name, rank, quants))
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
