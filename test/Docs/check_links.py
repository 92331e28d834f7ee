"""Checks every link in the documentation to a file of the repository: the file must
exist, and the heading. In lists of pages, a link must have the title of its page.

  check_links.py ROOT
"""

import os
import re
import sys


def get_text(path):
    with open(path, encoding="utf-8") as file:
        return re.sub(r"^```.*?^```$", "", file.read(), flags=re.S | re.M)


def get_anchors(path):
    anchors = set()
    for heading in re.findall(r"^#+ (.*)$", get_text(path), re.M):
        words = re.sub(r"[^\w\- ]", "", heading.lower())
        anchors.add(words.strip().replace(" ", "-"))
    return anchors


def get_wrong_titles(root, page):
    """Links that start a row of a table or of a list, and differ from the title."""
    rows = re.findall(
        r"^(?:\| |- )\[([^]]+)\]\(([^()\s#]+\.md)\)", get_text(os.path.join(root, page)), re.M
    )
    for text, link in rows:
        path = os.path.join(root, os.path.dirname(page), link)
        title = re.search(r"^# (.*)$", get_text(path), re.M)[1]
        if text != title:
            yield f"{page}: {link}: the link is '{text}', the title is '{title}'"


def main():
    root = sys.argv[1]
    pages = [name for name in os.listdir(root) if name.endswith(".md")]
    for folder, _, names in os.walk(os.path.join(root, "docs")):
        pages += [
            os.path.relpath(os.path.join(folder, name), root)
            for name in names
            if name.endswith(".md")
        ]
    dead, count = [], 0
    for page in sorted(pages):
        text = get_text(os.path.join(root, page))
        links = re.findall(r"\]\(([^()\s]+)\)", text) + re.findall(r'src="([^"]+)"', text)
        for link in links:
            if re.match(r"[a-z]+:", link):
                continue
            count += 1
            target, _, anchor = link.partition("#")
            path = os.path.join(root, os.path.dirname(page), target) if target else os.path.join(root, page)
            if not os.path.exists(path):
                dead.append(f"{page}: {link}: no such file")
            elif anchor and anchor not in get_anchors(path):
                dead.append(f"{page}: {link}: no such heading")
    errors = dead or [
        error for page in ("README.md", "docs/index.md") for error in get_wrong_titles(root, page)
    ]
    if errors:
        raise SystemExit("\n".join(errors))
    print(f"{count} links of {len(pages)} pages")


main()
