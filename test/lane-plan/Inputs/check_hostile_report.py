"""Opens reports of programs with hostile names, and of programs without matrices.

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
              injected: document.querySelectorAll("img, b").length,
              title: document.querySelector("h1").textContent,
              forms: document.getElementById("forms").textContent};"""
        )
        print(shown["title"])
        print(shown["forms"])
        for name in shown["names"]:
            print("matrix", name)
        log = browser.get_log()
        requests = set(browser.requests(f"file://{path}")) - {f"file://{path}"}
        if len(shown["names"]) != want or shown["injected"] or log or requests:
            raise SystemExit(f"{shown} {log} {requests}")


main()
