"""Follows a page of the documentation: writes its files, runs its commands, and
compares what they print with what the page shows.

  run_docs.py PAGE.md FOLDER NAME=FILE ...

FOLDER is created again. Each NAME is a file or folder that the page assumes. A block
after `<!-- file=NAME -->` is written to that file. An `sh` block must succeed. In a
`console` block, the command after `$` must print the text that follows, apart from
white space.
"""

import os
import re
import shutil
import subprocess
import sys

# Other tests run these, which set up a machine or take long.
ELSEWHERE = re.compile(r"\./build\.sh |cd build && cpack")


def fail(page, command, what):
    raise SystemExit(f"{page}: {command.strip()}\n{what}")


def run(page, command, folder):
    return subprocess.run(
        ["bash", "-euo", "pipefail", "-c", command],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def squeeze(text):
    return " ".join(text.split())


def main():
    page, folder = sys.argv[1:3]
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    for pair in sys.argv[3:]:
        name, path = pair.split("=", 1)
        os.symlink(path, os.path.join(folder, name))
    with open(page, encoding="utf-8") as file:
        text = file.read()

    count = 0
    blocks = r"^(?:<!-- file=(\S+) -->\n)?```([^\n]+)\n(.*?)^```$"
    for name, kind, block in re.findall(blocks, text, re.S | re.M):
        if name:
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(block)
        elif kind == "sh":
            if ELSEWHERE.match(block):
                continue
            count += 1
            result = run(page, block, folder)
            if result.returncode:
                fail(page, block, result.stdout)
        elif kind == "console":
            for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
                count += 1
                command, _, shown = part.partition("\n")
                printed = run(page, command, folder).stdout
                if squeeze(shown) not in squeeze(printed):
                    fail(page, command, f"prints\n{printed}\ninstead of\n{shown}")
    print(f"{count} blocks")


main()
