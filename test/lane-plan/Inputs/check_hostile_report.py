"""Opens reports of programs with hostile names, and with nothing in them.

  check_hostile_report.py REPORT.html MATRICES
"""

import os
import sys

from webdriver import Browser


def main():
    path, want = os.path.abspath(sys.argv[1]), int(sys.argv[2])
    with Browser() as browser:
        browser.open(path)
        shown = browser.run(
            """return {names: [...document.querySelectorAll("#matrices th[scope=row]")].map(
                (cell) => cell.textContent),
              strangers: document.querySelectorAll("img, b").length,
              title: document.querySelector("h1").textContent,
              forms: document.getElementById("forms").textContent};"""
        )
        print(shown["title"])
        print(shown["forms"])
        for name in shown["names"]:
            print("matrix", name)
        complaints = browser.complaints()
        asked = set(browser.requests(f"file://{path}")) - {f"file://{path}"}
        if len(shown["names"]) != want or shown["strangers"] or complaints or asked:
            raise SystemExit(f"{shown} {complaints} {asked}")


main()
