# Part of Lane, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the tools on valid and malformed GGUF files, as listed in a table.

usage: check_malformed.py LANE_TRANSLATE LANE_PLAN FOLDER

For a malformed file, every command prints one line with the field and its offset;
for a valid file it prints JSON. Prints a line with `error:` for each difference.
"""

import json
import pathlib
import re
import subprocess
import sys


def run(*command):
    return subprocess.run(command, capture_output=True, text=True)


def check_refused(path, *command):
    """Differences of the error for a malformed file, as lines."""
    done = run(*command, path)
    line = re.compile(
        rf"[\w<>:-]+: error: {re.escape(str(path))}: .+ at offset \d+: .+\n"
    )
    if done.returncode != 1 or done.stdout or not line.fullmatch(done.stderr):
        yield f"{command[1:]}: {done.returncode} {done.stdout} {done.stderr}"


def check_accepted(path, lane_translate):
    """Differences of the JSON of a valid file, as lines."""
    done = run(lane_translate, "--gguf-to-json", path)
    if done.returncode != 0 or done.stderr:
        yield f"--gguf-to-json: {done.returncode} {done.stderr}"
    elif not isinstance(json.loads(done.stdout), dict):
        yield f"--gguf-to-json: {done.stdout}"


def main():
    lane_translate, lane_plan, folder = sys.argv[1:]
    folder = pathlib.Path(folder)
    table = (folder / "verdicts.tsv").read_text(encoding="utf-8")
    counts = {"ACCEPT": 0, "REJECT": 0}
    failures = 0
    for row in table.splitlines()[1:]:
        name, verdict = row.split("\t")
        counts[verdict] += 1
        path = folder / f"{name}.gguf"
        if verdict == "ACCEPT":
            differences = list(check_accepted(path, lane_translate))
        else:
            differences = [
                *check_refused(path, lane_translate, "--gguf-to-json"),
                *check_refused(path, lane_translate, "--import-gguf"),
                *check_refused(path, lane_plan, "--json"),
            ]
        failures += bool(differences)
        for difference in differences:
            print(f"{name}: error: {difference}")
    print(f"accepted {counts['ACCEPT']} files, refused {counts['REJECT']}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
