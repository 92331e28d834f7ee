# Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the golden programs through the tools and compares all values.

usage: check_golden.py LANE_OPT LANE_TRANSLATE FOLDER

Each program is imported and planned once, and placed from the planned text on
each of its budgets. Prints a line with `error:` for each difference.
"""

import concurrent.futures
import itertools
import json
import os
import pathlib
import re
import subprocess
import sys

PLAN_KEYS = ("arena", "fixed", "spare", "whole", "order", "shares")
PLACEMENT_KEYS = ("budget", "moved", "device_bytes", "host_bytes")
PLACEMENT = re.compile(
    "placement <" + ", ".join(rf"{key} = (\d+)" for key in PLACEMENT_KEYS) + ">"
)


def run(command, text=None):
    """The exit code, output and errors of a tool; a crash raises."""
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    if done.returncode < 0:
        raise RuntimeError(f"{command} died of signal {-done.returncode}")
    return done.returncode, done.stdout, done.stderr


def must(command, text=None):
    code, output, errors = run(command, text)
    if code != 0:
        raise RuntimeError(f"{command} failed: {errors.strip()}")
    return output


def check_refusal(lane_opt, planned, budget, needed):
    """Differences of the refusal of a budget, as lines."""
    place = f"--residence-place=budget={budget}"
    code, _, errors = run([lane_opt, place], planned)
    if code == 0:
        return [f"budget {budget} was not refused"]
    line = next(line for line in errors.splitlines() if "error:" in line)
    values = set(re.findall(r"\d+", line.split("error:", 1)[1]))
    if not {str(needed), str(budget)} <= values:
        return [f"budget {budget}: no {needed} and {budget} in: {line}"]
    return []


def check_placements(lane_opt, lane_translate, planned, expected):
    """Differences of the placements on accepted budgets, as lines.

    A placement replaces the previous one, so one run of the tool places on each
    budget in turn. Its output has the last placement.
    """
    budgets = [entry["budget"] for entry in expected]
    passes = [f"--residence-place=budget={budget}" for budget in budgets]
    command = [lane_opt, "--mlir-print-ir-after=residence-place", *passes]
    code, placed, dumps = run(command, planned)
    if code != 0:
        return [f"a budget was refused: {dumps.strip().splitlines()[-1]}"]
    found = [
        dict(zip(PLACEMENT_KEYS, map(int, values)))
        for values in PLACEMENT.findall(dumps)
    ]
    wanted = [{key: entry[key] for key in PLACEMENT_KEYS} for entry in expected]
    differences = [
        f"budget {entry['budget']}: got {got}, expected {entry}"
        for got, entry in itertools.zip_longest(found, wanted, fillvalue={})
        if got != entry
    ]
    exported = json.loads(must([lane_translate, "--export-plan-json"], placed))
    if exported["place"] != wanted[-1:]:
        differences.append(
            f"exported {exported['place']}, expected {wanted[-1:]}"
        )
    return differences


def check_program(lane_opt, lane_translate, path):
    """The number of placements that were compared, and differences as lines."""
    expect = json.loads(path.read_text(encoding="utf-8"))["expect"]
    imported = must([lane_translate, "--import-json", str(path)])
    planned = must([lane_opt, "--residence-plan"], imported)
    plan = json.loads(must([lane_translate, "--export-plan-json"], planned))
    differences = [
        f"{key}: got {plan[key]}, expected {expect[key]}"
        for key in PLAN_KEYS
        if plan[key] != expect[key]
    ]
    accepted = [entry for entry in expect["place"] if "error" not in entry]
    differences += check_placements(lane_opt, lane_translate, planned, accepted)
    for entry in expect["place"]:
        if "error" in entry:
            needed = entry["error"]["needed"]
            differences += check_refusal(
                lane_opt, planned, entry["budget"], needed
            )
    return len(expect["place"]), differences


def main():
    lane_opt, lane_translate, folder = sys.argv[1:]
    paths = sorted(pathlib.Path(folder).glob("*.json"))
    placements = failures = 0
    # The work is in subprocesses, so threads are enough.
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = pool.map(
            lambda path: check_program(lane_opt, lane_translate, path), paths
        )
        for path, (compared, differences) in zip(paths, results):
            placements += compared
            failures += bool(differences)
            for difference in differences:
                print(f"{path.name}: error: {difference}")
    print(f"compared {len(paths)} programs and {placements} placements")
    if not paths:
        print(f"error: no golden program in {folder}")
    return 1 if failures or not paths else 0


if __name__ == "__main__":
    sys.exit(main())
