"""Opens a report whose budget counts page tables and whose host has a limit.

  check_limits.py REPORT.html PLAN.json HOST_LIMIT_BYTES
"""

import json
import os
import sys

from webdriver import KEYS, Browser


def check(holds, what):
    if not holds:
        raise SystemExit(f"check_limits.py: {what}")


def get_page_table_bytes(host_bytes):
    return 4096 * (-(-host_bytes // 2**21) + -(-host_bytes // 2**29))


def read_cards(browser):
    """The value and the note of each card."""
    return browser.run(
        """const cards = {};
        for (const dd of document.querySelectorAll("#values dd"))
          cards[dd.id.replace("value-", "")] =
            [Number(dd.dataset.value), dd.querySelector("small").textContent];
        return cards;"""
    )


def main():
    path, limit = os.path.abspath(sys.argv[1]), int(sys.argv[3])
    with open(sys.argv[2], encoding="utf-8") as file:
        plan = json.load(file)
    place = plan["place"][0]
    with Browser() as browser:
        browser.open(path)
        data = browser.run("return JSON.parse(document.getElementById('data').textContent);")
        check(data["points"][data["start"]]["budget"] == place["budget"], "it starts elsewhere")
        cards = read_cards(browser)
        for name, key in (
            ("device", "device_bytes"),
            ("host", "host_bytes"),
            ("tables", "page_table_bytes"),
        ):
            check(cards[name][0] == place[key], f"{name} is {cards[name]} instead of {place[key]}")
        numbers = {"refused": 0, "placed": 0}
        browser.type("#budget", KEYS["Home"])
        for point in data["points"]:
            cards = read_cards(browser)
            host, tables = cards["host"][0], cards["tables"][0]
            where = f"at {point['budget']}"
            check(tables == get_page_table_bytes(host), f"{tables} of page tables {where}")
            left = point["budget"] - cards["device"][0] - tables
            check(cards["left"][0] == left >= 0, f"{cards['left']} left {where}")
            is_refused = cards["host"][1] == "refused: the limit is 8.00 GiB"
            check(is_refused == (host > limit), f"the host's note is {cards['host'][1]} {where}")
            numbers["refused" if is_refused else "placed"] += 1
            browser.type("#budget", KEYS["Right"])
        check(all(numbers.values()), f"{numbers}")
        check(not browser.get_log(), "the browser logs errors")


main()
