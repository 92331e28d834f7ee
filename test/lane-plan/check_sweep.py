# Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the sweeps of real models with values that are computed independently.

usage: check_sweep.py LANE_PLAN LANE_TRANSLATE LANE_OPT FOLDER

For each model, the script sums the bytes that a step reads, tensor by tensor,
over the launches of the printed program. The sweep must go from the smallest
budget to the whole. At each budget, least-traffic must read no more than
last-read and no less than the bound, and be within one matrix of the bound.
Prints a line with `error:` for each difference.
"""

import concurrent.futures
import csv
import json
import os
import pathlib
import re
import subprocess
import sys

sys.path.insert(
    0, str(pathlib.Path(__file__).parent.parent / "Target" / "ImportGGUF")
)
import gguf_header


def run(command, data=b""):
    return subprocess.run(
        command, input=data, capture_output=True, check=True
    ).stdout


def step_bytes(path, text):
    """Bytes that a decode step reads of each tensor."""
    keys, tensors = gguf_header.read_header(path)
    active = keys.get(f"{keys['general.architecture']}.expert_used_count", 0)
    launches = re.findall(r"^ {6}lane\.(?!form).*", text, re.MULTILINE)
    reads = {}
    for launch in launches:
        for name in re.findall(r"%([\w.]+)", launch):
            is_gather = launch.strip().startswith("lane.gather")
            reads.setdefault(name, []).append(is_gather)
    names = {tensor.name for tensor in tensors}
    total = {}
    for tensor in tensors:
        if len(tensor.shape) < 2:
            continue
        sizes = []
        for is_gather in reads.get(tensor.name, []):
            if is_gather:
                sizes.append(tensor.row_bytes)
            elif "_exps." in tensor.name:
                # The experts are the last dimension, also of a bias.
                sizes.append(tensor.bytes // tensor.shape[-1] * active)
            else:
                sizes.append(tensor.bytes)
        if tensor.name == "token_embd.weight" and "output.weight" not in names:
            sizes.append(tensor.bytes)
        total[tensor.name] = sum(sizes)
    return total


def check_points(points, wanted, plan):
    largest = max(wanted.values())
    if len(points) < 20:
        yield f"{len(points)} points"
    least = plan["arena"] + plan["fixed"]
    ends = (points[0]["budget"], points[-1]["budget"])
    if ends != (least, plan["whole"]):
        yield f"ends {ends}, expected {(least, plan['whole'])}"
    if points[0]["last_read"]["host_step_bytes"] != sum(wanted.values()):
        yield (
            f"a step reads {points[0]['last_read']['host_step_bytes']}, "
            f"expected {sum(wanted.values())}"
        )
    if points[-1]["least_traffic"]["moved"] != 0:
        yield "an upload moves although all fit"
    for point in points:
        bound = point["bound_host_step_bytes"]
        last, best = point["last_read"], point["least_traffic"]
        if not bound <= best["host_step_bytes"] <= last["host_step_bytes"]:
            yield f"at {point['budget']} the policies are out of order"
        if best["host_step_bytes"] > bound + largest:
            yield f"at {point['budget']} the traffic exceeds the bound by a matrix"
        for policy in (last, best):
            if policy["device_bytes"] > point["budget"]:
                yield f"{policy['device_bytes']} on {point['budget']}"
            if policy["device_bytes"] + policy["host_bytes"] != plan["whole"]:
                yield f"at {point['budget']} device and host bytes are not the whole"
            seconds = (
                sum(wanted.values()) - policy["host_step_bytes"]
            ) / 1792e9 + policy["host_step_bytes"] / 64e9
            if abs(policy["step_seconds"] - seconds) > 1e-9:
                yield f"{policy['step_seconds']} s, expected {seconds}"
        moved = sum(
            size for _, size in plan["order"][: last["moved"]]
        )
        if moved != last["host_bytes"]:
            yield f"at {point['budget']} last-read did not move the first uploads"


def check_csv(points, text):
    rows = list(csv.DictReader(text.splitlines()))
    if len(rows) != len(points):
        yield f"{len(rows)} rows"
    for point, row in zip(points, rows):
        for policy in ("last_read", "least_traffic"):
            for field in ("device_bytes", "host_bytes", "host_step_bytes"):
                if int(row[f"{policy}_{field}"]) != point[policy][field]:
                    yield f"CSV: {policy}_{field} at {point['budget']}"


def check_model(lane_plan, lane_translate, lane_opt, path):
    program = run([lane_translate, "--import-gguf", path])
    planned = run([lane_opt, "--arena-plan", "--residence-plan"], program)
    plan = json.loads(run([lane_translate, "--export-plan-json"], planned))
    command = [lane_plan, path, "--sweep", "--device=rtx-5090"]
    points = json.loads(run([*command, "--json"]))["sweep"]
    wanted = step_bytes(path, program.decode())
    return [
        *check_points(points, wanted, plan),
        *check_csv(points, run([*command, "--csv"]).decode()),
    ]


def main():
    *tools, folder = sys.argv[1:]
    paths = sorted(pathlib.Path(folder).glob("*.gguf"))
    failures = 0
    # The work is in subprocesses, so threads are enough.
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = pool.map(lambda path: check_model(*tools, path), paths)
        for path, differences in zip(paths, results):
            failures += bool(differences)
            for difference in differences[:10]:
                print(f"{path.name}: error: {difference}")
    print(f"checked the sweeps of {len(paths)} models")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
