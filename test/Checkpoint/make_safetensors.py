# Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes safetensors files.

usage: make_safetensors.py FILE.safetensors NAME=DTYPE[:DIMS]...
       make_safetensors.py NAME.safetensors.index.json SHARD...

The first writes tensors one after the other, as in `w=BF16:8x32`, the contiguous
dimension last. Floating-point values are between -1 and 1, and other bytes random, with
the file's name as the seed. The second writes the index of shards, which are files in
its folder.
"""

import json
import math
import pathlib
import random
import struct
import sys

# Bytes of an element.
SIZES = {
    "BOOL": 1, "U8": 1, "I8": 1, "F8_E4M3": 1, "F8_E5M2": 1, "I16": 2, "U16": 2,
    "F16": 2, "BF16": 2, "I32": 4, "U32": 4, "F32": 4, "F64": 8, "I64": 8, "U64": 8,
}


def make_data(dtype, count, draw):
    formats = {"F16": "e", "F32": "f", "F64": "d", "BF16": "f"}
    if dtype not in formats:
        return draw.randbytes(count * SIZES[dtype])
    values = (draw.uniform(-1, 1) for _ in range(count))
    data = struct.pack(f"<{count}{formats[dtype]}", *values)
    if dtype != "BF16":
        return data
    return b"".join(data[at + 2 : at + 4] for at in range(0, len(data), 4))


def write_file(path, tensors):
    draw = random.Random(path.name)
    header, data = {}, b""
    for tensor in tensors:
        name, _, what = tensor.rpartition("=")
        dtype, _, dims = what.partition(":")
        shape = [int(size) for size in dims.split("x")] if dims else []
        added = make_data(dtype, math.prod(shape), draw)
        header[name] = {
            "dtype": dtype,
            "shape": shape,
            "data_offsets": [len(data), len(data) + len(added)],
        }
        data += added
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


def read_file(path):
    """The tensors of a file, as (dtype, shape, bytes) by name."""
    data = path.read_bytes()
    start = 8 + struct.unpack_from("<Q", data)[0]
    tensors = {}
    for name, tensor in json.loads(data[8:start]).items():
        begin, end = tensor["data_offsets"]
        held = data[start + begin : start + end]
        tensors[name] = (tensor["dtype"], tensor["shape"], held)
    return tensors


def write_index(path, shards):
    names = {name: shard for shard in shards for name in read_file(path.parent / shard)}
    path.write_text(json.dumps({"metadata": {}, "weight_map": names}, indent=1))


def main():
    path, arguments = pathlib.Path(sys.argv[1]), sys.argv[2:]
    if path.suffix == ".json":
        write_index(path, arguments)
    else:
        write_file(path, arguments)


if __name__ == "__main__":
    main()
