# Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles a planned module to PTX for each chip, and assembles it with ptxas.

usage: assemble.py PLANNED.mlir CHIP...
"""

import os
import re
import subprocess
import sys
import tempfile

ASSEMBLY = re.compile(r'assembly = "((?:[^"\\]|\\.)*)"')
ESCAPE = re.compile(rb"\\([0-9A-F]{2}|.)")


def unescape(text):
    def replace(match):
        code = match[1]
        return bytes([int(code, 16)]) if len(code) == 2 else code

    return ESCAPE.sub(replace, text.encode())


module, chips = sys.argv[1], sys.argv[2:]
for chip in chips:
    lowered = subprocess.run(
        ["lane-opt", f"--lane-to-nvvm=chip={chip} format=isa", module],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    kernels = ASSEMBLY.findall(lowered)
    for ptx in kernels:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "kernel.ptx")
            with open(path, "wb") as file:
                file.write(unescape(ptx).rstrip(b"\0"))
            subprocess.run(
                ["ptxas", f"-arch={chip}", path, "-o", os.path.join(folder, "cubin")],
                check=True,
            )
    print(f"{chip}: {len(kernels)} modules assembled", flush=True)
