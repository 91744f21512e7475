# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Reads the tables of ci/backends, ci/matrix and ci/faults, and reports on the runs that they start."""
import difflib
import subprocess
import tomllib

from debian_tree import ROOT, Problem, say

CTS = ROOT / "build/release/bin/deconv-cts"
# The exit codes of deconv-cts, worst first: 6 an internal error, or a step of the set-up failed; 2 usage; 3 the backend
# could not be loaded; 1 failures; 5 nothing was judged; 4 only stale expectations.
SEVERITY = (6, 2, 3, 1, 5, 4)


def read_rows(path, kinds, may_lack=()):
    """The rows of a TOML file: {kind: {name: row}}. `kinds` gives the required and the optional keys of each kind. The file
    may have no row of the kinds in `may_lack`."""
    try:
        with open(path, "rb") as file:
            read = tomllib.load(file)
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise Problem(f"{path}: {error}") from error
    if set(read) | set(may_lack) != set(kinds):
        expected = " and ".join(f"[[{kind}]]" for kind in kinds)
        raise Problem(f"{path}: expected entries {expected} only, found {', '.join(sorted(read)) or 'none'}")
    table = {kind: {} for kind in kinds}
    for kind, (required, optional) in kinds.items():
        for row in read.get(kind, []):
            name = row.get("name", "?")
            for key in sorted(required - set(row)):
                raise Problem(f"{path}: {kind} '{name}' has no key '{key}'")
            for key in sorted(set(row) - required - optional):
                raise Problem(f"{path}: {kind} '{name}' has the unknown key '{key}'")
            if name in table[kind]:
                raise Problem(f"{path}: {kind} '{name}' is there twice")
            table[kind][name] = row
    return table


def check_names(names, known, noun):
    """Complains about the first name that is not known, and proposes a similar one."""
    for name in names:
        if name not in known:
            near = difflib.get_close_matches(name, known, 1)
            hint = f"; did you mean {near[0]}?" if near else f"; expected some of {', '.join(known)}"
            raise Problem(f"there is no {noun} '{name}'{hint}", code=2)


def build_suite(program):
    """Builds deconv-cts, if it is not there."""
    if CTS.exists():
        return
    say(program, "building deconv-cts")
    done = subprocess.run([ROOT / "ci/gate", "--suite", "spec-examples", "--level", "smoke"], check=False,
                          stdout=subprocess.DEVNULL)
    if done.returncode != 0:
        raise Problem(f"ci/gate could not build deconv-cts (exit code {done.returncode})")


def print_end_of_log(name, code, log):
    """Prints the last lines of the log of a run that failed."""
    last = log.read_text(encoding="utf-8", errors="replace").splitlines()[-8:]
    print("\n".join([f"{name}: exit code {code}; {log} ends with", *last]), flush=True)


def print_table(header, rows, words):
    """Prints rows under a header. The first `words` columns are words, the others are numbers."""
    widths = [max(len(row[i]) for row in [header, *rows]) for i in range(len(header))]
    for row in [header, *rows]:
        cells = [cell.ljust(width) if i < words else cell.rjust(width) for i, (cell, width) in enumerate(zip(row, widths))]
        print("  ".join(cells).rstrip(), flush=True)


def worst(codes):
    """The worst of the exit codes; 0 if there is none."""
    return next((code for code in SEVERITY if code in codes), max(codes, default=0))
