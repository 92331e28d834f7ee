# Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the times to compile generated programs with few and with many matrices.

usage: compile-generated.py BIN CXX CUDA_INCLUDE

It compiles both in turns and prints the ratio of the medians.
"""

import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROUNDS = 7
FEW, MANY = 10, 10000


def make_program(count):
    matrices = "\n".join(
        f"lane.matrix @w{i} : !lane.matrix<64x64xq8_0> rows "
        f"[#lane.rows<file = 0, offset = {64 + i * 4352}, count = 64>]"
        for i in range(count)
    )
    return (
        "lane.program @many context(64) numerics(one_pass) files([\"m.gguf\"]) {\n"
        f"{matrices}\nlane.form @decode decode rows(1) {{\n}}\n}}\n"
    )


def generate(tools, folder, count):
    program = folder / "program.mlir"
    program.write_text(make_program(count))
    emitc = folder / "emitc.mlir"
    subprocess.run(
        [tools / "lane-opt", "--residence-plan",
         "--residence-to-host=target=cpp", program, "-o", emitc],
        check=True,
    )
    for name, extra in (("lane_many.cpp", []),
                        ("lane_many.h", ["--cpp-file=header"])):
        subprocess.run(
            [tools / "lane-translate", "--emit-cpp", *extra, emitc, "-o",
             folder / name],
            check=True,
        )


def compile_once(cxx, include, folder):
    start = time.monotonic()
    subprocess.run(
        [cxx, "-O2", "-std=c++17", "-isystem", include, "-c",
         folder / "lane_many.cpp", "-o", folder / "many.o"],
        check=True,
    )
    return time.monotonic() - start


def main():
    tools, cxx, include = sys.argv[1:]
    seconds = {FEW: [], MANY: []}
    with tempfile.TemporaryDirectory() as root:
        for count in seconds:
            folder = pathlib.Path(root) / str(count)
            folder.mkdir()
            generate(pathlib.Path(tools), folder, count)
        for _ in range(ROUNDS):
            for count, times in seconds.items():
                folder = pathlib.Path(root) / str(count)
                times.append(compile_once(cxx, include, folder))
    few, many = (statistics.median(times) for times in seconds.values())
    print(
        f"compiling {MANY} matrices takes {many / few:.2f} times as long as "
        f"{FEW} ({many:.2f} s and {few:.2f} s; medians of {ROUNDS})"
    )


if __name__ == "__main__":
    main()
