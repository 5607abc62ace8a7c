"""Writes docs/testing.md from the log of the last run of all tests: `make testing-page` after `make test`.

Usage: testing_page.py LOG PAGE. What a kind of test compares with is the first sentence of its own documentation."""

import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parent.parent
PACKAGES = {"anyrank": "", "layout_capi": "layout/capi", "autolink_runtime": "runtime/autolink"}


def folder(package):
    return root / PACKAGES.get(package, package)


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
    """What a test program compares with."""
    if target.startswith("unittests"):
        return "Unit tests beside the code: laws, examples and enumeration."
    if target == "documentation":
        return "Examples in the documentation, compiled and run."
    return first_sentence(folder(package) / target)


def aspects():
    """What each test of a corpus program compares with, by its name."""
    text = (root / "corpus/README.md").read_text().split("## What is checked")[1]
    found = {}
    for names, sentence in re.findall(r"^\* ((?:`[^`]+`(?:, )?)+)[^:]*: (.*?)[;.]$", text, re.M):
        for name in re.findall(r"`([^`]+)`", names):
            found[name] = sentence
    return found


def read(log):
    """Steps with their seconds, and test programs with their numbers and seconds."""
    steps, programs, corpus = [], [], []
    step, package, target = "", "", ""
    total = None
    for line in log.read_text(errors="replace").splitlines():
        if m := re.match(r"step: (.*)", line):
            step = m[1]
        elif m := re.match(r"step took: (.*): (\d+) s", line):
            steps.append((m[1], int(m[2])))
        elif m := re.match(r"all steps took: (\d+) s", line):
            total = int(m[1])
        elif m := re.match(r"\s+Running (unittests \S+|\S+) \(.*/([^/]+)-[0-9a-f]+\)", line):
            target = m[1]
            if target.startswith("unittests src/lib"):
                package = m[2]
        elif m := re.match(r"\s+Doc-tests (\S+)", line):
            package, target = m[1], "documentation"
        elif m := re.match(r"test result: .*? (\d+) passed; (\d+) failed; (\d+) ignored;.*finished in ([\d.]+)s", line):
            programs.append((step, package, target, int(m[1]) + int(m[2]), int(m[3]), float(m[4])))
        elif m := re.match(r"aspect ([a-z0-9-]+): (\d+) tests, ([\d.]+) s", line):
            corpus.append((m[1], int(m[2]), float(m[3])))
    if total is None:
        sys.exit(f"{log} is not the log of a run that came to its end: run make test")
    return steps, programs, corpus, total


def minutes(seconds):
    return f"{seconds // 60} min {seconds % 60} s"


def main():
    log, page = map(pathlib.Path, sys.argv[1:])
    steps, programs, corpus, total = read(log)
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
    out += ["", "## Test programs", "", "| package | tests in | tests | ignored | seconds | against what |", "|---|---|---|---|---|---|"]
    for step, package, target, number, skipped, seconds in programs:
        if number + skipped > 0:
            where = target if step == "tests" else f"{target} ({step})"
            out.append(f"| {package} | {where} | {number} | {skipped} | {seconds:.1f} | {oracle(package, target)} |")
    page.write_text("\n".join(out) + "\n")


main()
