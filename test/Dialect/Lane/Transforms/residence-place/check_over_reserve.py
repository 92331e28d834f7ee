# Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that placements use the memory that is available.

usage: check_over_reserve.py LANE_TRANSLATE LANE_OPT FOLDER

If the program fits exactly, nothing moves with either policy. With a byte less,
one upload moves: the first of the order, or the one that a step reads least.
"""

import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys


def run(command, data=b""):
    return subprocess.run(
        command, input=data, capture_output=True, check=True
    ).stdout


def check_model(translate, opt, path):
    program = run([translate, "--import-gguf", path])
    planned = run([opt, "--arena-plan", "--residence-plan"], program)
    plan = json.loads(run([translate, "--export-plan-json"], planned))
    traffic = {}
    for policy in ("last-read", "least-traffic"):
        for missing in (0, 1):
            option = (
                f"--residence-place=budget={plan['whole'] - missing} "
                f"policy={policy}"
            )
            placed = json.loads(
                run([translate, "--export-plan-json"], run([opt, option], planned))
            )
            traffic[policy, missing] = placed["traffic"]["host_step_bytes"]
            (place,) = placed["place"]
            if place["moved"] != missing:
                yield f"{policy}: {missing} missing moves {place['moved']}"
            if missing == 0 and place["device_bytes"] != plan["whole"]:
                yield f"{policy}: {place['device_bytes']} of {plan['whole']}"
    if traffic["least-traffic", 1] > traffic["last-read", 1]:
        yield "least traffic moves what costs more"


def main():
    *tools, folder = sys.argv[1:]
    # A third of the models, dense and with experts, limits the run time.
    paths = sorted(pathlib.Path(folder).glob("*.gguf"))[::3]
    failures = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = pool.map(lambda p: list(check_model(*tools, p)), paths)
        for path, differences in zip(paths, results):
            failures += bool(differences)
            for difference in differences:
                print(f"{path.name}: error: {difference}")
    print(f"checked {len(paths)} models")
    return 1 if failures or not paths else 0


if __name__ == "__main__":
    sys.exit(main())
