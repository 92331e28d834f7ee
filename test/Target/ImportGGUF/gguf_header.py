# Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the keys and tensors of a GGUF header, independently of the tools."""

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

# Name, elements and bytes of a block of each format, by ggml id.
FORMATS = {
    0: ("f32", 1, 4),
    1: ("f16", 1, 2),
    2: ("q4_0", 32, 18),
    3: ("q4_1", 32, 20),
    6: ("q5_0", 32, 22),
    7: ("q5_1", 32, 24),
    8: ("q8_0", 32, 34),
    9: ("q8_1", 32, 36),
    10: ("q2_K", 256, 84),
    11: ("q3_K", 256, 110),
    12: ("q4_K", 256, 144),
    13: ("q5_K", 256, 176),
    14: ("q6_K", 256, 210),
    15: ("q8_K", 256, 292),
    16: ("iq2_xxs", 256, 66),
    17: ("iq2_xs", 256, 74),
    18: ("iq3_xxs", 256, 98),
    19: ("iq1_s", 256, 50),
    20: ("iq4_nl", 32, 18),
    21: ("iq3_s", 256, 110),
    22: ("iq2_s", 256, 82),
    23: ("iq4_xs", 256, 136),
    24: ("i8", 1, 1),
    25: ("i16", 1, 2),
    26: ("i32", 1, 4),
    27: ("i64", 1, 8),
    28: ("f64", 1, 8),
    29: ("iq1_m", 256, 56),
    30: ("bf16", 1, 2),
    34: ("tq1_0", 256, 54),
    35: ("tq2_0", 256, 66),
    39: ("mxfp4", 32, 17),
    40: ("nvfp4", 64, 36),
    41: ("q1_0", 128, 18),
    42: ("q2_0", 64, 18),
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
        # The contiguous dimension is first.
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
    """The keys by name, and the tensors of a file in file order."""
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
