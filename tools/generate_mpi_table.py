#!/usr/bin/env python3
"""Makes the MPI call table and our own mpi.h from the MPI Forum's machine-readable description of the API.

    python3 -m venv build/mpi-table && build/mpi-table/bin/pip -q install pympistandard==0.2.0 && build/mpi-table/bin/python tools/generate_mpi_table.py

pympistandard 0.2.0 carries MPI-5.0, the first release that has everything of MPI-4.1 (0.1.1 stops at 4.0); what is newer
than 4.1 is marked. What `apis.json` does not carry comes from three places, all checked in:
`frontend/data/mpi-constants.tsv` (constants), `frontend/data/mpi-facts.tsv` (deprecated and removed functions, calls that
are allowed at any time) and `tools/mpi_table/` (semantics classes, parameter roles).

Writes `frontend/data/mpi-functions.tsv` and `frontend/include/mpi.h`; both are checked in. With `--check` it writes
nothing and fails when they differ from what it would write.
"""

import fnmatch
import pathlib
import re
import sys

import pympistandard

sys.dont_write_bytecode = True  # nothing but the two files is left behind

from mpi_table import classes, header, roles

ROOT = pathlib.Path(__file__).resolve().parent.parent
DATA = ROOT / "frontend" / "data"
VERSION = "0.2.0"

TABLE_TOP = """\
# The MPI call table: every C function of MPI-4.1 (with those of MPI-5.0 and the removed ones marked), its semantics
# class, and the role of each parameter. Made by tools/generate_mpi_table.py; do not edit. Tab-separated:
#   name  return type  class  collective over  flags
#   (empty)  parameter  C type  role  direction  length  attributes
# A dash stands for nothing. frontend/src/mpi/{class,role,table}.rs say what the words mean.
"""


def read_tsv(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")]


def read_constants():
    keys = ("name", "kind", "ctype", "value")
    return [dict(zip(keys, row)) | {"facts": row[4:]} for row in read_tsv(DATA / "mpi-constants.tsv")]


class Facts:
    """The rows of mpi-facts.tsv by what they state."""

    def __init__(self):
        self.rows = read_tsv(DATA / "mpi-facts.tsv")
        self.used = set()

    def find(self, fact, name):
        for number, row in enumerate(self.rows):
            if row[0] == fact and fnmatch.fnmatchcase(name, row[1]):
                self.used.add(number)
                return row
        return None

    def flags(self, name, base):
        flags = []
        if self.find("any-time", name):
            flags.append("any-time")
        for fact in ("deprecated", "removed"):
            row = self.find(fact, base)
            if row:
                version = row[2] if fact == "deprecated" else "3.0"
                flags += [f"{fact}={version}", f"use={row[4]}"]
        since = self.find("since", base)
        if since:
            flags.append(f"since={since[2]}")
        return flags

    def check_used(self):
        unused = [row for number, row in enumerate(self.rows) if number not in self.used]
        if unused:
            raise SystemExit(f"mpi-facts.tsv speaks of functions that do not exist: {unused}")


def ctype_of(parameter):
    """The declared C type without the name: `const int[]`, `void *`."""
    text = str(parameter)
    if "ldots" in text or "varargs" in text or text.strip() == "...":
        return "..."
    match = re.fullmatch(r"(.*?)(\w+)((?:\[\w*\])*)", text)
    base = re.sub(r"\s*\*\s*", "*", match[1].strip())
    base = re.sub(r"(\w)(\*+)$", r"\1 \2", base)
    return base + match[3]


def parameters(symbol):
    """Name, C type, kind, direction and raw length of each C parameter."""
    result = []
    for parameter in symbol.parameters:
        raw = parameter._parseset  # the library has no accessor for the direction and the length
        result.append({
            "name": raw["name"], "ctype": ctype_of(parameter), "kind": raw["kind"],
            "direction": raw["param_direction"], "given": raw["length"], "attributes": {},
        })
    return result


def parse_prototype(text):
    """A C prototype from mpi-facts.tsv, in the form of `parameters`, with the kinds of the function that replaced it."""
    match = re.fullmatch(r"(\w+) (\w+)\((.*)\)", text)
    params = []
    for declaration in match[3].split(", "):
        params.append({"name": re.search(r"(\w+)(\[\])?$", declaration)[1], "ctype": ctype_of(declaration),
                       "attributes": {}})
    return match[1], match[2], params


def add_removed(functions, facts):
    """Removed functions take their parameters' kinds from their replacement: those are the same objects."""
    by_name = {f["name"]: f for f in functions}
    # Names that the replacement spells differently.
    renamed = {"displacement": "extent"}
    for row in [r for r in facts.rows if r[0] == "removed"]:
        ret, name, params = parse_prototype(row[2])
        model = {p["name"]: p for p in by_name[row[4]]["params"]}
        for p in params:
            source = model[renamed.get(p["name"], p["name"])]
            p |= {"kind": source["kind"], "direction": source["direction"], "given": source["given"]}
        functions.append({"name": name, "base": name, "ret": ret, "params": params, "large": False})


def correct_types(functions, facts):
    """Applies the c-type facts."""
    for function in functions:
        row = facts.find("c-type", function["name"])
        if row:
            name, _, ctype = row[2].partition("=")
            next(p for p in function["params"] if p["name"] == name)["ctype"] = ctype


def load_functions():
    functions = []
    for procedure in pympistandard.all_iso_c_procedures():
        small = procedure.express.iso_c
        forms = [(small, False)]
        if procedure.has_embiggenment() and procedure.express.embiggen.iso_c:
            forms.append((procedure.express.embiggen.iso_c, True))
        for symbol, large in forms:
            functions.append({"name": symbol.name, "base": small.name, "ret": str(symbol.return_type),
                              "params": parameters(symbol), "large": large})
    return functions


def describe(function):
    """Class, roles, pairing and lengths of one function."""
    line = classes.classify(function["base"])
    scope = classes.scope(function["base"])
    params = function["params"]
    if scope not in ("-", "world") and scope not in {p["name"] for p in params}:
        raise SystemExit(f"{function['name']} has no parameter {scope}")
    for p in params:
        p["role"] = roles.role(line, p["kind"], p["name"])
        fixed = {"send-buffer": "in", "recv-buffer": "out", "inout-buffer": "inout"}.get(p["role"])
        p["direction"] = fixed or p["direction"]
        # apis.json describes all languages at once; C passes these by value.
        if not re.search(r"[*\[]", p["ctype"]):
            p["direction"] = "in"
    for p in params:
        p["length"] = roles.length(function["name"], line, p, p["given"], params)
        if p["role"] == "string" and p["direction"] == "in":
            p["length"] = None
    roles.pair(line, params)
    function |= {"class": line, "scope": scope}


def table(functions, facts):
    lines = [TABLE_TOP.rstrip("\n")]
    for function in functions:
        flags = facts.flags(function["name"], function["base"])
        if function["large"]:
            flags.insert(0, f"large={function['base']}")
        lines.append("\t".join([function["name"], function["ret"], function["class"], function["scope"],
                                " ".join(flags) or "-"]))
        for p in function["params"]:
            attributes = [k if v is None else f"{k}={v}" for k, v in p["attributes"].items()]
            lines.append("\t".join(["", p["name"], p["ctype"], p["role"], p["direction"], p["length"] or "-",
                                    " ".join(attributes) or "-"]))
    return "\n".join(lines) + "\n"


def symbols(expressions):
    return [{"name": s.name, "ret": str(s.return_type), "params": parameters(s)} for s in expressions]


def callbacks_and_predefined():
    callbacks, predefined = [], []
    for callback in pympistandard.CALLBACKS.values():
        callbacks.append(callback.express.iso_c)
        if callback.has_embiggenment() and callback.express.embiggen.iso_c:
            callbacks.append(callback.express.embiggen.iso_c)
    for function in pympistandard.PREDEFINED_FUNCTIONS.values():
        predefined.append(function.express.iso_c)
        if function.has_embiggenment() and function.express.embiggen.iso_c:
            predefined.append(function.express.embiggen.iso_c)
    return symbols(callbacks), symbols(predefined)


def main():
    if pympistandard.__version__ != VERSION:
        raise SystemExit(f"pympistandard {VERSION} is needed, found {pympistandard.__version__}")
    pympistandard.use_api_version(1, force_bundled=True)
    facts = Facts()
    functions = load_functions()
    add_removed(functions, facts)
    correct_types(functions, facts)
    functions.sort(key=lambda f: f["name"])
    for function in functions:
        describe(function)
    classes.check_rules_used()
    made = {DATA / "mpi-functions.tsv": table(functions, facts)}
    facts.check_used()
    callbacks, predefined = callbacks_and_predefined()
    made[ROOT / "frontend" / "include" / "mpi.h"] = header.header(read_constants(), callbacks, functions, predefined)
    stale = [path for path, text in made.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    if "--check" in sys.argv[1:]:
        if stale:
            raise SystemExit(f"not what the generator would write: {[str(p) for p in stale]}")
        return
    for path, text in made.items():
        path.write_text(text, encoding="utf-8")
    print(f"{len(functions)} functions; written: {[str(p.relative_to(ROOT)) for p in made]}")


if __name__ == "__main__":
    main()
