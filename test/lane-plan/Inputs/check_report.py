"""Opens the report of a model in a real browser, and compares what it shows with the
JSON of lane-plan.

  check_report.py FOLDER MODEL GIVEN_BYTES [--pictures FOLDER] [--time]
"""

import argparse
import json
import os
import re
import statistics
import subprocess

from webdriver import KEYS, Browser

ROW_HEIGHT = 18


def check(condition, message):
    if not condition:
        raise SystemExit(f"check_report.py: {message}")


def lane_plan(model, *options):
    result = subprocess.run(
        ["lane-plan", model, *options], capture_output=True, text=True, check=True
    )
    return result.stdout


def get_data(page):
    text = re.search(r'<script id="data" type="application/json">(.*?)</script>', page, re.S)
    return json.loads(text[1])


def read_values(browser):
    return browser.run(
        """const values = {};
        for (const dd of document.querySelectorAll("#values dd"))
          values[dd.id.replace("value-", "")] = Number(dd.dataset.value);
        values.budget = document.getElementById("budget-text").value;
        return values;"""
    )


def read_spaces(browser):
    """The name and the memory space of each matrix in the table, in the order."""
    return browser.run(
        """return [...document.querySelectorAll("#matrices tbody tr")].map(
          (row) => [row.cells[1].textContent, row.cells[3].textContent]);"""
    )


def check_placement(browser, model, budget, spare, policy, names):
    """Figures, table and maps at a budget are those of the planner."""
    given = str(budget + spare)
    plan = json.loads(
        lane_plan(model, "--json", "--device-bytes", given, f"--policy={policy}")
    )
    place, traffic = plan["place"][0], plan["traffic"]
    check(place["budget"] == budget, f"budget {place['budget']} instead of {budget}")
    values = read_values(browser)
    where = f"at {budget} by {policy}"
    for name, value in (
        ("device", place["device_bytes"]),
        ("host", place["host_bytes"]),
        ("step", traffic["host_step_bytes"]),
        ("left", budget - place["device_bytes"]),
    ):
        check(values[name] == value, f"{name} is {values[name]} instead of {value} {where}")
    host = set(traffic.get("host", names[: place["moved"]]))
    check(len(host) == place["moved"], f"{len(host)} on the host {where}")
    for name, space in read_spaces(browser):
        want = "host" if name in host else "device 0"
        check(space == want, f"{name} is in {space} {where}")
    check_maps(browser, {name: size for name, size in plan["order"]}, host)


def check_maps(browser, sizes, host):
    """Each matrix is drawn once, in the map of its memory space, to scale."""
    width, row_bytes = browser.run(
        """return [document.getElementById("device-map").clientWidth,
          document.getElementById("scale").textContent.match(/full row is (.*)\\./)[1]];"""
    )
    unit = row_bytes.split()[1]
    row_bytes = float(row_bytes.split()[0]) * 1024 ** ["B", "KiB", "MiB", "GiB", "TiB"].index(unit)
    drawn = set()
    for space in ("device", "host"):
        paths = browser.run(
            """return [...document.querySelectorAll(`#${arguments[0]}-map path[role=option]`)].map(
              (path) => [path.getAttribute("aria-label"), path.getAttribute("d")]);""",
            space,
        )
        for label, outline in paths:
            name = label.rsplit(", ", 2)[0]
            if name not in sizes:
                check(space == "device", f"{name} is drawn on the host")
                continue
            check((name in host) == (space == "host"), f"{name} is drawn on the {space}")
            check(name not in drawn, f"{name} is drawn twice")
            drawn.add(name)
            pieces = re.findall(r"M([\d.]+) [\d.]+H([\d.]+)", outline)
            pixels = sum(float(end) - float(start) for start, end in pieces)
            error = abs(pixels - sizes[name] / row_bytes * width)
            check(error <= 0.01 * len(pieces) + 0.001, f"{name} is {error} pixels off its scale")
    check(drawn == set(sizes), f"{len(drawn)} of {len(sizes)} matrices are drawn")


def check_slider(browser, model, data, spare, names):
    """The keyboard moves the slider, and the page shows the placement at each budget."""
    budget = browser.run("return document.getElementById('budget').value;")
    check(int(budget) == data["start"], f"it starts at {budget} instead of {data['start']}")
    index, last = data["start"], len(data["points"]) - 1
    for policy in ("last-read", "least-traffic"):
        browser.click(f"input[value={policy.replace('-', '_')}]")
        after = min(index + 1, last)
        for key, at in (("Right", after), ("Home", 0), ("Right", 1), ("End", last), ("Left", last - 1)):
            browser.type("#budget", KEYS[key])
            spoken = browser.run(
                "return document.getElementById('budget').getAttribute('aria-valuetext');"
            )
            check(spoken == read_values(browser)["budget"], f"the slider has the text {spoken}")
            check_placement(browser, model, data["points"][at]["budget"], spare, policy, names)
        index = at


def check_search(browser, names):
    for words in ("blk.1 attn", "host", "no such name", ""):
        browser.run("document.getElementById('search').value = '';")
        browser.type("#search", words + " ")
        shown = browser.run(
            """return [...document.querySelectorAll("#matrices tbody tr")].filter(
              (row) => row.offsetParent).map((row) => row.cells[1].textContent);"""
        )
        if words == "host":
            want = [name for name, space in read_spaces(browser) if space == "host" or "host" in name]
        else:
            want = [name for name in names if all(word in name for word in words.split())]
        check(shown == want, f"'{words}' finds {len(shown)} instead of {len(want)}")
        found = browser.text("#found")
        check(found.startswith(f"{len(want):,} of {len(names):,}"), f"the count is {found}")


def check_map_keys(browser, names):
    browser.type("#device-map", KEYS["End"])
    tooltip = browser.text("#tooltip")
    last = browser.run(
        """const map = document.getElementById("device-map");
        return document.getElementById(map.getAttribute("aria-activedescendant"))
          .getAttribute("aria-label");"""
    )
    check(last.rsplit(", ", 2)[0] == names[-1], f"the last is {last} instead of {names[-1]}")
    check(names[-1] in tooltip and "on the device" in tooltip, f"the tooltip is {tooltip!r}")
    browser.type("#device-map", KEYS["Left"])
    check(names[-2] in browser.text("#tooltip"), "an arrow does not move along the map")


def check_hover(browser):
    # A matrix that is drawn in one row and is wide enough for the mouse.
    target, label = browser.run(
        """const path = [...document.querySelectorAll("#device-map path[role=option]")].find(
          (path) => path.getBBox().height < 20 && path.getBBox().width > 4);
        path.scrollIntoView({block: "center"});
        return [path.id, path.getAttribute("aria-label")];"""
    )
    browser.move_to(f"#{target}", 0, 0)
    tooltip = browser.text("#tooltip")
    check(tooltip.startswith(label.rsplit(", ", 2)[0]), f"over {label}: {tooltip!r}")


def check_curve(browser, data):
    """A click in the middle of the curve selects a budget in the middle."""
    browser.click("#curve")
    index = int(browser.run("return document.getElementById('budget').value;"))
    points = data["points"]
    middle = (points[0]["budget"] + points[-1]["budget"]) / 2
    step = (points[-1]["budget"] - points[0]["budget"]) / (len(points) - 2)
    off = abs(points[index]["budget"] - middle)
    # The axis is to the left of the curve.
    check(off < 6 * step, f"a click in the middle is {off / step} steps off")


def get_luminance(colour):
    def linear(value):
        value /= 255
        return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4

    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)


def check_contrast(browser):
    """Text has the contrast of WCAG level AA, and drawings have enough contrast."""
    names = ["ground", "surface", "text", "quiet", "accent", "gather", "expert", "other", "fixed"]
    colours = browser.run(
        """const style = getComputedStyle(document.documentElement);
        return arguments[0].map((name) => style.getPropertyValue(`--${name}`));""",
        names,
    )
    luminance = {name: get_luminance(value.strip()) for name, value in zip(names, colours)}

    def contrast(one, two):
        low, high = sorted((luminance[one], luminance[two]))
        return (high + 0.05) / (low + 0.05)

    for text in ("text", "quiet"):
        for ground in ("ground", "surface"):
            value = contrast(text, ground)
            check(value >= 4.5, f"{text} on {ground} has a contrast of {value:.2f}")
    for drawn in names[4:]:
        value = contrast(drawn, "ground")
        check(value >= 2.5, f"{drawn} has a contrast of {value:.2f}")
    return luminance["ground"]


def check_names(browser):
    """Every control has a name for a screen reader."""
    browser.cdp("Accessibility.enable", {})
    nodes = browser.cdp("Accessibility.getFullAXTree", {})["nodes"]
    seen = {}
    for node in nodes:
        role = node.get("role", {}).get("value")
        if node.get("ignored") or role not in (
            *("slider", "radio", "listbox", "option", "searchbox", "region", "link", "group"),
        ):
            continue
        seen[role] = seen.get(role, 0) + 1
        check(node.get("name", {}).get("value"), f"a {role} has no name")
    for role, least in (("slider", 1), ("radio", 2), ("listbox", 2), ("searchbox", 1)):
        check(seen.get(role, 0) >= least, f"{seen.get(role, 0)} of role {role}")
    check(seen.get("option", 0) > 10, "the maps have no options")


def check_quiet(browser, path):
    log = browser.get_log()
    check(not log, f"the browser reports {log}")
    requests = set(browser.requests(f"file://{path}"))
    check(requests == {f"file://{path}"}, f"the page requests {requests}")


def time_slider(browser):
    """Measures the milliseconds from an input to the layout of the page, at every point."""
    times = browser.run(
        """const slider = document.getElementById("budget"), times = [];
        for (let index = 0; index <= slider.max; ++index) {
          const start = performance.now();
          slider.value = index;
          slider.dispatchEvent(new Event("input"));
          document.body.getBoundingClientRect();
          times.push(performance.now() - start);
        }
        return times;"""
    )
    opened = browser.run("return performance.getEntriesByType('navigation')[0].loadEventEnd;")
    print(
        f"report: opened in {opened:.0f} ms; a move of the slider takes "
        f"{statistics.median(times):.1f} ms (median), {max(times):.1f} ms (most)"
    )


def take_pictures(path, folder):
    os.makedirs(folder, exist_ok=True)
    for name, shape in (
        ("report-light", (1280, 1100, False)),
        ("report-dark", (1280, 1100, True)),
        ("report-phone", (390, 844, False)),
    ):
        with Browser(*shape) as browser:
            browser.open(path)
            browser.picture(os.path.join(folder, f"{name}.png"))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("model")
    parser.add_argument("given_bytes", type=int)
    parser.add_argument("--pictures")
    parser.add_argument("--time", action="store_true")
    options = parser.parse_args()
    model = options.model

    os.makedirs(options.folder, exist_ok=True)
    path = os.path.join(os.path.abspath(options.folder), "report.html")
    given = str(options.given_bytes)
    lane_plan(model, "--device-bytes", given, "--html", path)
    with open(path, encoding="utf-8") as file:
        page = file.read()
    if options.pictures:
        return take_pictures(path, options.pictures)
    if options.time:
        with Browser() as browser:
            browser.open(path)
            return time_slider(browser)

    check(len(page.encode()) < 2_000_000, f"the page has {len(page.encode())} bytes")
    plan = json.loads(lane_plan(model, "--json", "--device-bytes", given))
    names = [name for name, _ in plan["order"]]
    data = get_data(page)
    with Browser() as browser:
        browser.open(path)
        # The page shows a budget above the whole as the whole.
        budget = min(options.given_bytes - plan["spare"], plan["whole"])
        check_placement(browser, model, budget, plan["spare"], "last-read", names)
        check_names(browser)
        check_search(browser, names)
        check_slider(browser, model, data, plan["spare"], names)
        check_map_keys(browser, names)
        check_hover(browser)
        check_curve(browser, data)
        light = check_contrast(browser)
        check_quiet(browser, path)
    with Browser(390, 844, dark=True) as browser:
        browser.open(path)
        width = browser.run("return document.documentElement.scrollWidth;")
        check(width <= 390, f"the page has {width} pixels on a phone of 390")
        check(check_contrast(browser) < light / 2, "dark is not dark")
        check_quiet(browser, path)
    print(f"{len(names)} matrices, {len(data['points'])} budgets")


main()
