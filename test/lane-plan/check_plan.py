# Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the output of lane-plan with that of the passes, and checks its sums.

usage: check_plan.py LANE_OPT LANE_TRANSLATE LANE_PLAN MODEL

Prints a line with `error:` for each difference.
"""

import json
import re
import subprocess
import sys


def run(*command, text=None):
    return subprocess.run(command, input=text, capture_output=True, text=True)


def must(*command, text=None):
    done = run(*command, text=text)
    if done.returncode != 0 or done.stderr:
        raise RuntimeError(f"{command}: {done.stderr.strip()}")
    return done.stdout


class Tools:
    def __init__(self, lane_opt, lane_translate, lane_plan, model):
        self.lane_opt = lane_opt
        self.lane_translate = lane_translate
        self.lane_plan = lane_plan
        self.model = model
        imported = must(lane_translate, "--import-gguf", model)
        passes = ("--arena-plan", "--residence-plan")
        self.planned = must(lane_opt, *passes, text=imported)

    def plan(self, *options):
        return must(self.lane_plan, self.model, *options)

    def export(self, budget=None):
        """The JSON of the passes, with a placement if there is a budget."""
        program = self.planned
        if budget is not None:
            place = f"--residence-place=budget={budget}"
            program = must(self.lane_opt, place, text=program)
        return must(self.lane_translate, "--export-plan-json", text=program)


def read_terms(report):
    """The bytes of each line of the report with a name and a size."""
    line = re.compile(r"^  +([a-z][\w -]*?) {2,}([\d,]+) {2,}\S", re.MULTILINE)
    return {
        name: int(size.replace(",", "")) for name, size in line.findall(report)
    }


def check_terms(terms, plan):
    """Differences of the report's terms from the plan, and wrong sums."""
    names = {"arena": "arena", "fixed": "fixed", "whole": "whole"}
    wanted = {name: plan[key] for name, key in names.items()}
    wanted["spare"] = plan["spare"]
    wanted["kv cache"] = plan["terms"]["state"]
    for name in ("values", "loop", "buffers", "scratch"):
        wanted[name] = plan["terms"][name]
    sizes = dict(plan["order"])
    classes = {"gather-only": "gather", "experts": "expert", "other": "other"}
    for name, kind in classes.items():
        wanted[name] = sum(
            sizes[matrix]
            for matrix, its_class in plan["classes"].items()
            if its_class == kind
        )
    if terms != wanted:
        yield f"terms: got {terms}, expected {wanted}"
    parts = ("kv cache", "values", "loop", "buffers", "scratch")
    if terms["fixed"] != sum(terms[name] for name in parts):
        yield f"the parts of fixed do not add up: {terms}"
    parts = ("arena", "fixed", *classes)
    if terms["whole"] != sum(terms[name] for name in parts):
        yield f"the parts of whole do not add up: {terms}"


def check_order(report, plan):
    """Differences of the report's rows and running totals from the plan."""
    row = re.compile(r"^ +(\d+)  (\w+) +(\d+) +([\d,]+) +([\d,]+)  (\S+)$")
    rows = [match for line in report.splitlines() if (match := row.match(line))]
    total = 0
    wanted = []
    for rank, (name, size) in enumerate(plan["order"]):
        total += size
        kind, read = plan["classes"][name], plan["last_read"][name]
        wanted.append(
            (str(rank), kind, str(read), f"{size:,}", f"{total:,}", name)
        )
    if [match.groups() for match in rows] != wanted:
        yield "the rows of the order are not the plan's"


def check_placement(tools, plan, given, moved):
    """Differences of the placement for `given` bytes, which moves `moved` uploads."""
    budget = given - plan["spare"]
    placed = tools.plan("--json", f"--device-bytes={given}")
    if placed != tools.export(budget):
        yield f"{given} bytes: the JSON is not that of the passes"
    host = sum(size for _, size in plan["order"][:moved])
    wanted = {
        "budget": budget,
        "moved": moved,
        "device_bytes": plan["whole"] - host,
        "host_bytes": host,
    }
    found = json.loads(placed)["place"]
    if found != [wanted]:
        yield f"{given} bytes: got {found}, expected {wanted}"
    terms = read_terms(tools.plan("--rows=1", f"--device-bytes={given}"))
    if (terms["budget"], terms["on the device"], terms["on the host"]) != (
        budget,
        wanted["device_bytes"],
        host,
    ):
        yield f"{given} bytes: the report has {terms}"


def check_placements(tools, plan):
    """Differences of placements on both sides of each boundary."""
    spare, uploads = plan["spare"], plan["order"]
    whole = plan["whole"] + spare
    least = plan["arena"] + plan["fixed"] + spare
    yield from check_placement(tools, plan, whole, 0)
    yield from check_placement(tools, plan, whole - 1, 1)
    yield from check_placement(tools, plan, whole - uploads[0][1], 1)
    yield from check_placement(tools, plan, whole - uploads[0][1] - 1, 2)
    yield from check_placement(tools, plan, least, len(uploads))
    done = run(tools.lane_plan, tools.model, f"--device-bytes={least - 1}")
    sizes = {str(least - spare), str(least - 1 - spare)}
    if (
        done.returncode != 1
        or done.stdout
        or len(done.stderr.splitlines()) != 1
        or not sizes <= set(re.findall(r"\d+", done.stderr))
    ):
        yield f"{least - 1} bytes: {done}"


def main():
    tools = Tools(*sys.argv[1:])
    text = tools.plan("--json")
    plan = json.loads(text)
    differences = []
    if text != tools.export():
        differences.append("the JSON is not that of the passes")
    if "place" in plan:
        differences.append("there is a placement without an option for it")
    report = tools.plan("--rows=0")
    differences += check_terms(read_terms(report), plan)
    differences += check_order(report, plan)
    differences += check_placements(tools, plan)
    for difference in differences:
        print(f"error: {difference}")
    print(f"compared the plan of {len(plan['order'])} uploads")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
