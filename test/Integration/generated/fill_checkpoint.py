# Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Adds data to GGUF files that have only a header.

usage: fill_checkpoint.py FILE...

The bytes are random, with a fixed seed. Values that the tests compute with are
numbers: f32 values are between -1 and 1, and q8_0's fp16 scales are small and
positive.
"""

import pathlib
import random
import struct
import sys

sys.path.insert(
    0, str(pathlib.Path(__file__).parents[2] / "Target" / "ImportGGUF")
)
from gguf_header import read_header


def make_data(tensor, draw):
    if tensor.format == "f32":
        count = tensor.bytes // 4
        return struct.pack(f"<{count}f", *(draw.uniform(-1, 1) for _ in range(count)))
    data = bytearray(draw.randbytes(tensor.bytes))
    if tensor.format == "q8_0":
        for block in range(0, tensor.bytes, 34):
            data[block : block + 2] = struct.pack("<e", draw.uniform(0.001, 0.1))
    return bytes(data)


def main():
    for path in sys.argv[1:]:
        path = pathlib.Path(path)
        draw = random.Random(path.name)
        start = path.stat().st_size
        _, tensors = read_header(path)
        with path.open("ab") as file:
            for tensor in tensors:
                file.write(bytes(start + tensor.offset - file.tell()))
                file.write(make_data(tensor, draw))


if __name__ == "__main__":
    main()
