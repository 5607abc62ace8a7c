"""Writes docs/testing.md from the log of the last run of all tests: `make testing-page` after `make test`.

Usage: testing_page.py LOG PAGE. What a kind of test compares with is the first sentence of its own documentation."""

import json
import os
import pathlib
import re
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parent.parent
# The program that has the tests of several files.
ALL = "tests/all/main.rs"


def packages():
    """The folder of each package of the workspace, and its targets: paths with names."""
    command = ["cargo", "metadata", "--locked", "--no-deps", "--format-version", "1"]
    found = {}
    for package in json.loads(subprocess.run(command, cwd=root, stdout=subprocess.PIPE, check=True).stdout)["packages"]:
        folder = pathlib.Path(package["manifest_path"]).parent
        targets = {os.path.relpath(target["src_path"], folder): target["name"].replace("-", "_") for target in package["targets"]}
        found[package["name"]] = (folder, targets)
    return found


PACKAGES = packages()


def folder(package):
    return PACKAGES[package][0]


def owner(target, name, tests):
    """The package of a test program, which cargo does not tell: by the name of the program, its path, and the files of its tests."""
    path = target.removeprefix("unittests ")
    for package, (_, targets) in PACKAGES.items():
        if targets.get(path) == name and (path != ALL or all((folder(package) / part).exists() for part, _ in parts(package, path, tests))):
            return package
    sys.exit(f"no package has a target {name} at {path}")


def library(name):
    """The package whose library has this name."""
    return next(package for package, (_, targets) in PACKAGES.items() if name in (targets.get("src/lib.rs"), targets.get("lib.rs")))


def first_sentence(path):
    """Of the documentation at the head of a Rust file."""
    lines = []
    for line in path.read_text().splitlines():
        if not line.startswith("//!") or line == "//!":
            break
        lines.append(line.removeprefix("//!").strip())
    text = " ".join(lines)
    if not text:
        sys.exit(f"{path}: say at its head, behind //!, what it tests against what")
    return re.split(r"(?<=[.:;]) (?=[A-Z`])", text)[0]


def oracle(package, target):
    """What a test program, or a part of one, compares with."""
    if target.startswith("unittests") or target.endswith("src/lib.rs"):
        return "Unit tests beside the code: laws, examples and enumeration."
    if target == "documentation":
        return "Examples in the documentation, compiled and run."
    path = folder(package) / target
    return first_sentence(path / "mod.rs" if path.is_dir() else path)


def parts(package, target, names):
    """The tests of a program that has those of several files, by file: its path, and how many ran and were ignored."""
    home = pathlib.PurePath(target).parent
    found = {}
    for name, is_ignored in names:
        module, separator, _ = name.partition("::")
        path = home / module if separator else pathlib.PurePath(target)
        file = path.with_suffix(".rs")
        if (folder(package) / file).exists():
            path = file
        found.setdefault(str(path), [0, 0])[is_ignored] += 1
    return sorted(found.items())


def aspects():
    """What each test of a corpus program compares with, by its name."""
    text = (root / "corpus/README.md").read_text().split("## What is checked")[1]
    found = {}
    for names, sentence in re.findall(r"^\* ((?:`[^`]+`(?:, )?)+)[^:]*: (.*?)[;.]$", text, re.M):
        for name in re.findall(r"`([^`]+)`", names):
            found[name] = sentence
    return found


def read(log):
    """Steps with their seconds, checks of the corpus, checks made and not made, and test programs with their numbers, seconds and the names of their tests."""
    steps, programs, corpus, held, names = [], [], [], [], []
    step, target, program = "", "", ""
    total = None
    for line in log.read_text(errors="replace").splitlines():
        if m := re.match(r"step: (.*)", line):
            step = m[1]
        elif m := re.match(r"step took: (.*): (\d+) s", line):
            steps.append((m[1], int(m[2])))
        elif m := re.match(r"all steps took: (\d+) s", line):
            total = int(m[1])
        elif m := re.match(r"\s+Running (unittests \S+|\S+) \(.*/([^/]+)-[0-9a-f]+\)", line):
            target, program, names = m[1], m[2], []
        elif m := re.match(r"\s+Doc-tests (\S+)", line):
            target, program, names = "documentation", m[1], []
        elif m := re.match(r"test (\S+)(?: - should panic)? \.\.\. (?:ok|FAILED|(ignored).*)$", line):
            names.append((m[1], m[2] is not None))
        elif m := re.match(r"test result: .*? (\d+) passed; (\d+) failed; (\d+) ignored;.*finished in ([\d.]+)s", line):
            package = library(program) if target == "documentation" else owner(target, program, names)
            programs.append((step, package, target, int(m[1]) + int(m[2]), int(m[3]), float(m[4]), names))
        elif m := re.match(r"aspect ([a-z0-9-]+): (\d+) tests, ([\d.]+) s", line):
            corpus.append((m[1], int(m[2]), float(m[3])))
        elif m := re.match(r"compilers and real runs: (\d+) checks made; (\d+) not", line):
            held.append((int(m[1]), int(m[2])))
    if total is None:
        sys.exit(f"{log} is not the log of a run that came to its end: run make test")
    return steps, programs, corpus, held, total


def minutes(seconds):
    return f"{seconds // 60} min {seconds % 60} s"


def main():
    log, page = map(pathlib.Path, sys.argv[1:])
    steps, programs, corpus, held, total = read(log)
    explained = aspects()
    out = [
        "# Tests",
        "",
        "`make test` runs what stands here; `make testing-page` writes this page from the log of its last run (`build/test.log`).",
        "`make test-all` has the long oracles too: each real run from 2 to 8 processes under both MPIs, tests that are marked as ignored, and larger numbers of random programs.",
        "",
        f"**Total: {minutes(total)}**, building included, on the machine that wrote this page.",
        "",
        "## Steps",
        "",
        "| step | time |",
        "|---|---|",
    ]
    out += [f"| {name} | {minutes(seconds)} |" for name, seconds in steps]
    out += [
        "",
        "## Tests of the programs in `corpus/`",
        "",
        "One test per program and aspect. The time is that of all its tests added up; as many run at a time as there are cores, and one more.",
        "",
        "| aspect | tests | seconds | compared with |",
        "|---|---|---|---|",
    ]
    for name, number, seconds in corpus:
        key = re.sub(r"np\d+", "npN", name)
        if key not in explained:
            sys.exit(f"corpus/README.md does not say what `{key}` checks")
        out.append(f"| `{name}` | {number} | {seconds:.0f} | {explained[key]} |")
    if held:
        made, kept = (sum(numbers) for numbers in zip(*held))
        out += [
            "",
            f"{made} checks by compilers and real runs were made, {kept} were not: they held before, and nothing that they depend on has changed since (`tests/held.txt`, which `make held` writes; `make test-all` makes all of them).",
        ]
    out += ["", "## Test programs", "", "| package | tests in | tests | ignored | seconds | against what |", "|---|---|---|---|---|---|"]
    for step, package, target, number, skipped, seconds, names in programs:
        if number + skipped == 0:
            continue
        where = target if step in ("tests", "examples in the documentation") else f"{target} ({step})"
        out.append(f"| {package} | {where} | {number} | {skipped} | {seconds:.1f} | {oracle(package, target)} |")
        if target == ALL:
            if len(names) != number + skipped:
                sys.exit(f"{log} names {len(names)} tests of {number + skipped} in {package}/{target}")
            for part, (ran, ignored) in parts(package, target, names):
                out.append(f"| | {where.replace(target, part)} | {ran} | {ignored} | | {oracle(package, part)} |")
    page.write_text("\n".join(out) + "\n")


main()
