# Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plans a header with a tensor whose name contains control characters.

usage: check_names.py MAKE_HEADER LANE_PLAN HEADER
"""

import subprocess
import sys

NAME = "x\n\x1b[31m"


def main():
    make_header, lane_plan, header = sys.argv[1:]
    make = [sys.executable, "-B", make_header, "llama", header]
    subprocess.run([*make, f"+{NAME}=64x2:f32"], check=True)
    subprocess.run([lane_plan, header], stderr=subprocess.STDOUT, check=True)
    # A generic import reads the tensor.
    changes = [f"+{NAME}=64x2:f32", '.general.architecture="gemma9"']
    subprocess.run([*make, *changes], check=True)
    subprocess.run([lane_plan, "--generic", header], check=True)


if __name__ == "__main__":
    main()
