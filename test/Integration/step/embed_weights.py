# Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints a module with the elements of a safetensors file in place of resources.

usage: embed_weights.py MODULE.mlir WEIGHTS.safetensors

`dense_resource<name> : tensor<8x32xf32>` becomes the tensor of that name.
"""

import json
import re
import struct
import sys

RESOURCE = re.compile(r"dense_resource<(\w+)> : tensor<")

with open(sys.argv[1], encoding="utf-8") as file:
    module = file.read()
with open(sys.argv[2], "rb") as file:
    data = file.read()
size = struct.unpack_from("<Q", data)[0]
tensors = json.loads(data[8 : 8 + size])


def embed(match):
    begin, end = tensors[match[1]]["data_offsets"]
    elements = data[8 + size + begin : 8 + size + end].hex().upper()
    return f'dense<"0x{elements}"> : tensor<'


print(RESOURCE.sub(embed, module))
