# Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints a module with the elements of a safetensors file in it, for upstream's passes.

usage: embed_weights.py [--resources] MODULE.mlir WEIGHTS.safetensors

These become constants of the elements of a tensor: `dense_resource<name>`, a load of a
global of ml_program, and a load of an IREE global, whose parameter names the tensor. A
load of a global with a value becomes the value.
With --resources, the module gets the values of its resources, and is otherwise the same.
"""

import json
import re
import struct
import sys

RESOURCE = re.compile(r"dense_resource<([\w.]+)>")
GLOBAL = re.compile(r'^(ml_program\.global |"util\.global").*\n', re.M)
PARAMETER = re.compile(r'\.named<(?:"\w+"::)?"([\w.]+)">.* sym_name = "([\w.]+)"')
VALUE = re.compile(r"^ml_program\.global .*@([\w.]+)\((dense<.*>) :", re.M)
LOAD = re.compile(
    r'(?:ml_program\.global_load_const @([\w.]+) :|"util\.global\.load".* @([\w.]+).* ->) tensor<'
)


def read_tensors(path):
    """The bytes of each tensor, in hexadecimal digits."""
    with open(path, "rb") as file:
        data = file.read()
    start = 8 + struct.unpack_from("<Q", data)[0]
    tensors = {}
    for name, tensor in json.loads(data[8:start]).items():
        begin, end = tensor["data_offsets"]
        tensors[name] = data[start + begin : start + end].hex().upper()
    return tensors


def embed(module, tensors):
    values = dict(VALUE.findall(module))
    keys = {symbol: key for key, symbol in PARAMETER.findall(module)}

    def embed_load(match):
        key = match[1] or keys[match[2]]
        value = values.get(key) or f'dense<"0x{tensors[key]}">'
        return f"arith.constant {value} : tensor<"

    module = LOAD.sub(embed_load, GLOBAL.sub("", module))
    return RESOURCE.sub(lambda match: f'dense<"0x{tensors[match[1]]}">', module)


def append_resources(module, tensors):
    """The digits of a resource start with its alignment, in four bytes."""
    names = dict.fromkeys(RESOURCE.findall(module))
    resources = ",\n".join(f'      {name}: "0x04000000{tensors[name]}"' for name in names)
    return (
        f"{module}\n{{-#\n  dialect_resources: {{\n    builtin: {{\n{resources}\n    }}\n  }}\n#-}}\n"
    )


def main():
    *options, path, weights = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        module = file.read()
    change = append_resources if options else embed
    print(change(module, read_tensors(weights)))


if __name__ == "__main__":
    main()
