"""Runs the examples of the generated reference through lane-opt.

  run_examples.py PAGE.md...

CONTRIBUTING.md has the convention that examples follow.
"""

import argparse
import math
import re
import subprocess
import sys

HEADING = re.compile(r"^(#+) (.*)$", re.M)
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.S | re.M)
BECOMES = re.compile(r"\s*becomes\b(?:, with `([^`]+)`)?")
# The parts of the generated page that have an example for each section.
DESCRIBED = ("Operations", "Attributes", "Types", None)
# Ops in the body of a program. All other ops of the dialect are in a form.
PROGRAM_OPS = ("form", "matrix", "state", "values")
DECODE = "lane.form @example_decode decode rows(1) {}"
PROGRAM = (
    'lane.program @example context(4096) numerics(one_pass) files(["example.gguf"]) {{\n{}\n}}\n'
)


class Failure(Exception):
    pass


def run(text, *options):
    command = ["lane-opt", "--allow-unregistered-dialect", *options]
    result = subprocess.run(command, input=text, capture_output=True, text=True)
    if result.returncode:
        raise Failure(f"{result.stderr.strip()}\nin\n{text}")
    return result.stdout


def wrap_attributes(block):
    """One op for each attribute or type, which starts a line."""
    parts = re.split(r"^(?=[#!])", block, flags=re.M)
    key = "type" if block[0] == "!" else "attribute"
    return "".join(f'"test.op"() {{{key} = {part.strip()}}} : () -> ()\n' for part in parts if part)


def split_groups(text):
    """The texts in parentheses, without nested ones, followed by the remaining text."""
    groups = []
    while match := re.search(r"\(([^()]*)\)", text):
        groups.append(match[1])
        text = text[: match.start()] + text[match.end() :]
    return groups + [text]


def get_types(statement):
    """The type of each operand. Types follow the order of operands, within parentheses
    and without; what is after `->` are the types of the operands after `into`."""
    types = {}
    statement = re.sub(r"^%\w+ = ", "", statement)
    for group in split_groups(statement):
        operands = re.findall(r"%\w+", group)
        listed = re.findall(r"!lane\.\w+<[^>]*>", group)
        into = re.search(r"into (%\w+(?:, %\w+)*)", group)
        if into and "->" in group:
            for operand in reversed(into[1].split(", ")):
                operands.remove(operand)
                types[operand] = listed.pop()
        types.update(zip(operands, listed))
    return types


def define_constant(symbol, symbol_type):
    """The matrix or the state that a `lane.ref` names."""
    if symbol_type.startswith("!lane.buffer"):
        return f"lane.state {symbol} : {symbol_type}"
    shape = [int(dimension) for dimension in re.findall(r"(\d+)x", symbol_type)]
    rows = f"[#lane.rows<file = 0, offset = 0, count = {math.prod(shape[:-1])}>]"
    return f"lane.matrix {symbol} : {symbol_type} rows {rows}"


def define_value(name, value_type):
    if value_type.startswith("!lane.matrix"):
        return f"{name} = lane.ref @{name[1:]} : {value_type}"
    return f'{name} = lane.alloc "{name[1:]}" plain <pool> : {value_type}'


def wrap_form_ops(block):
    """A program with the block in its form, after definitions of what the block uses."""
    defined = set(re.findall(r"^\s*(%\w+) =", block, re.M))
    values = []
    for statement in re.split(r"^\s*(?=(?:%\w+ = )?lane\.)", block, flags=re.M):
        for name, value_type in get_types(statement).items():
            if name not in defined:
                defined.add(name)
                values.append(define_value(name, value_type))
    form = "\n".join(["lane.form @example decode rows(1) arena(65536) {", *values, block, "}"])
    refs = re.findall(r"lane\.ref (@[\w.]+).*: (!lane\.\w+<[^>]*>)", form)
    constants = [define_constant(*ref) for ref in refs]
    return PROGRAM.format("\n".join([*constants, form]))


def complete(block):
    """The block as a module that lane-opt can parse."""
    # A module can start with aliases.
    if block[0] in "#!" and not re.match(r"[#!]\w+ = ", block):
        return wrap_attributes(block)
    op = re.match(r"(?:%\w+ = )?lane\.(\w+)", block)
    if not op or op[1] == "program":
        return block
    if op[1] not in PROGRAM_OPS:
        return wrap_form_ops(block)
    form = "" if re.search(r"lane\.form @\S+ decode", block) else DECODE
    return PROGRAM.format(block + form)


def remove_space(text):
    return re.sub(r"\s+", "", text)


def check_pass(name, option, before, after):
    argument = f"--{name}={option}" if option else f"--{name}"
    printed = run(complete(before), argument)
    rest = remove_space(printed)
    for part in filter(str.strip, after.split("...")):
        _, found, rest = rest.partition(remove_space(part))
        if not found:
            raise Failure(f"{argument} prints\n{printed}\nwithout\n{part}")


def run_section(name, text):
    """Runs the blocks of one section and returns how many it has."""
    blocks = [match for match in BLOCK.finditer(text) if match[1] == "mlir"]
    position, before = 0, None
    for match in blocks:
        becomes = BECOMES.match(text[position : match.start()]) if before else None
        if becomes:
            check_pass(name, becomes[1], before, match[2])
        else:
            run(complete(match[2]))
        position, before = match.end(), match[2]
    return len(blocks)


def get_sections(page):
    """The name and the text of each section, and whether it must have an example."""
    part = None
    headings = list(HEADING.finditer(re.sub(BLOCK, lambda m: " " * len(m[0]), page)))
    ends = [heading.start() for heading in headings[1:]] + [len(page)]
    for heading, end in zip(headings, ends):
        title = heading[2]
        if heading[1] == "##":
            part = title
        name = re.sub(r" \(.*", "", title).strip("`-")
        described = heading[1] == "###" and part in DESCRIBED
        yield name, page[heading.end() : end], described


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("pages", nargs="+")
    arguments = parser.parse_args()
    count, failures = 0, []
    for path in arguments.pages:
        with open(path, encoding="utf-8") as file:
            sections = list(get_sections(file.read()))
        for name, text, described in sections:
            try:
                count += run_section(name, text)
                if described and not BLOCK.search(text):
                    raise Failure("has no example")
            except Failure as failure:
                failures.append(f"{path}: {name}: {failure}")
    if failures:
        sys.exit("\n".join(failures))
    print(f"{count} examples")


main()
