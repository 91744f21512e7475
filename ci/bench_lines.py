# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Runs deconv-bench, the program that measures the kernel's speed, and reads its JSON lines, for ci/bench, ci/calibrate
and ci/fit_costs."""
import json
import math
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
BENCH = os.path.join(ROOT, "build/release/bin/deconv-bench")
USAGE, BROKEN = 2, 6  # exit codes: wrong arguments or files; a step failed


class Stop(Exception):
    """Ends the program with an exit code and a message."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


def run(command):
    """Runs a command in the project's folder. Returns its standard output."""
    result = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if result.returncode != 0:
        usage = command[0] == BENCH and result.returncode == USAGE
        raise Stop(USAGE if usage else BROKEN, f"{' '.join(command)}: exit status {result.returncode}\n"
                                               f"{result.stdout[-2000:]}{result.stderr[-2000:]}")
    return result.stdout


def rows_of(text, where, written_by, row_of):
    """Returns a row for each line of `text`. `row_of` makes it from the line's JSON object. `where` (a file) and
    `written_by` (the command that writes such lines) are for error messages."""
    rows = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            rows.append(row_of(json.loads(line)))
        except (ValueError, KeyError, TypeError) as error:
            raise Stop(USAGE, f"{where}: line {number}: expected what {written_by} writes: {error!r}") from error
    if not rows:
        raise Stop(USAGE, f"{where}: has no rows, expected what {written_by} writes")
    return rows


def rows_of_file(path, written_by, row_of):
    """Returns the rows of a file; the arguments are those of rows_of()."""
    try:
        with open(path, encoding="utf-8") as file:
            return rows_of(file.read(), path, written_by, row_of)
    except OSError as error:
        raise Stop(USAGE, f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise Stop(USAGE, f"{path}: is no text: {error}") from error


def measure(program, rounds, options, written_by, row_of):
    """Builds deconv-bench and runs it `rounds` times with these options. Returns the rows of all rounds."""
    run(["cmake", "--preset", "release"])
    run(["cmake", "--build", "--preset", "release", "--target", "deconv-bench"])
    rows = []
    for number in range(1, rounds + 1):
        print(f"{program}: round {number} of {rounds}", file=sys.stderr)
        rows += rows_of(run([BENCH, *options]), "deconv-bench", written_by, row_of)
    return rows


def algorithm_of(line):
    """The row of a line about an algorithm on a layer: times, counts of costs, and whether the kernel chose it. None
    for lines about anything else. The row's "layer" also names the type and the layout."""
    if "chosen" not in line:
        return None
    row = {"layer": f"{line['layer']} {line['type']}/{line['layout']}", "chosen": bool(line["chosen"]),
           "ns": float(line["ns"]), "cycles": float(line["cycles"]), "fixed_cycles": float(line["fixed_cycles"]),
           "cost_counts": {str(name): float(count) for name, count in line["cost_counts"].items()}}
    if not all(math.isfinite(row[time]) and row[time] > 0 for time in ("ns", "cycles")):
        raise ValueError(f"{row} is no measurement")
    return row


def algorithm_rows(program, options):
    """Measures each algorithm on each layer of the list, in three types and two layouts. Returns their rows."""
    rows = []
    for element_type in ("f32", "bf16", "i8"):
        for layout in ("ncx", "nxc"):
            print(f"{program}: {element_type}/{layout}", file=sys.stderr)
            command = ["--layers", "kernel/bench/layers.txt", "--type", element_type, "--layout", layout, *options,
                       "--all-algorithms", "--json"]
            rows += measure(program, 1, command, "deconv-bench --all-algorithms --json", algorithm_of)
    return rows


def layers_of(rows):
    """{layer: the rows of its algorithms}."""
    layers = {}
    for row in rows:
        if row:
            layers.setdefault(row["layer"], []).append(row)
    return layers


def quality_of_choices(layers, estimate_of):
    """Says how good it is to choose the algorithm with the lowest `estimate_of(row)`. Returns the number of layers
    where it takes at most 5 % longer than the fastest one, the greatest ratio of both times, and its layer."""
    ratios = {layer: min(rows, key=estimate_of)["ns"] / min(row["ns"] for row in rows) for layer, rows in layers.items()}
    worst = max(ratios, key=ratios.get)
    return sum(ratio <= 1.05 for ratio in ratios.values()), ratios[worst], worst


def end(program, main):
    """Runs `main`, and ends the program with its exit code or with that of a Stop."""
    try:
        code = main()
        sys.stdout.flush()
        sys.exit(code)
    except OSError as error:
        print(f"{program}: standard output: {error.strerror}", file=sys.stderr)
        os._exit(BROKEN)  # the interpreter would try to write again
    except Stop as stop:
        print(f"{program}: {stop}", file=sys.stderr)
        sys.exit(stop.code)
