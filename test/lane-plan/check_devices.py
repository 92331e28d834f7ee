"""Compares the memory of each card with the table in the documentation, which cites
its source.

Usage: check_devices.py LANE_PLAN DOCS MODEL
"""

import json
import re
import subprocess
import sys


def main():
    lane_plan, docs, model = sys.argv[1:]
    with open(docs) as file:
        rows = re.findall(
            r"^\| `([\w-]+)` \| ([\d,]+) MiB \| \d+ \| \d+ \| (.+) \|$",
            file.read(),
            re.MULTILINE,
        )
    help_text = subprocess.check_output([lane_plan, "--help"], text=True)
    names = re.search(r"memory of a card: (.*)", help_text)[1].split(", ")
    if names != [name for name, _, _ in rows]:
        print("error: the cards of the tool and of the table differ")
    for name, mebibytes, source in rows:
        report = json.loads(
            subprocess.check_output(
                [lane_plan, model, "--json", "--device", name], text=True
            )
        )
        expected = int(mebibytes.replace(",", "")) << 20
        found = report["memory"]["bytes"]
        if found != expected:
            print(f"error: {name} has {found} bytes, but the table has {expected}")
        if not source.strip():
            print(f"error: {name} has no source")
    print(f"checked {len(rows)} cards")


if __name__ == "__main__":
    main()
