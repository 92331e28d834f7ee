# Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the keys and tensors of a GGUF header, apart from the tools."""

import struct

SCALARS = {
    0: "<B",
    1: "<b",
    2: "<H",
    3: "<h",
    4: "<I",
    5: "<i",
    6: "<f",
    7: "<?",
    10: "<Q",
    11: "<q",
    12: "<d",
}
STRING, ARRAY = 8, 9

# Name, elements and bytes of a block of each format, by ggml's number.
FORMATS = {
    0: ("f32", 1, 4),
    1: ("f16", 1, 2),
    8: ("q8_0", 32, 34),
    12: ("q4_K", 256, 144),
    13: ("q5_K", 256, 176),
    14: ("q6_K", 256, 210),
}


class Reader:
    def __init__(self, data):
        self.data = data
        self.position = 0

    def take(self, layout):
        (value,) = struct.unpack_from(layout, self.data, self.position)
        self.position += struct.calcsize(layout)
        return value

    def string(self):
        size = self.take("<Q")
        self.position += size
        return self.data[self.position - size : self.position].decode()

    def value(self, kind):
        if kind == STRING:
            return self.string()
        if kind != ARRAY:
            return self.take(SCALARS[kind])
        element = self.take("<I")
        return [self.value(element) for _ in range(self.take("<Q"))]


class Tensor:
    def __init__(self, reader):
        self.name = reader.string()
        # The contiguous dimension stands first.
        self.shape = [reader.take("<q") for _ in range(reader.take("<I"))]
        self.format, block, block_bytes = FORMATS[reader.take("<I")]
        self.offset = reader.take("<Q")
        self.columns = self.shape[0]
        self.rows = 1
        for dimension in self.shape[1:]:
            self.rows *= dimension
        self.row_bytes = self.columns // block * block_bytes
        self.bytes = self.rows * self.row_bytes


def read_header(path):
    """The keys, by name, and the tensors of a file, in its order."""
    reader = Reader(path.read_bytes())
    if reader.data[:4] != b"GGUF":
        raise ValueError(f"{path}: not a GGUF file")
    reader.position = 8
    num_tensors, num_keys = reader.take("<Q"), reader.take("<Q")
    keys = {}
    for _ in range(num_keys):
        name = reader.string()
        keys[name] = reader.value(reader.take("<I"))
    return keys, [Tensor(reader) for _ in range(num_tensors)]
