# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Runs deconv-bench and reads its JSON lines, for ci/bench and ci/calibrate."""
import json
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
BENCH = os.path.join(ROOT, "build/release/bin/deconv-bench")
USAGE, BROKEN = 2, 6


class Stop(Exception):
    """Ends the program with an exit code and a message."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


def run(command):
    """The standard output of a command."""
    result = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if result.returncode != 0:
        usage = command[0] == BENCH and result.returncode == USAGE
        raise Stop(USAGE if usage else BROKEN, f"{' '.join(command)}: exit status {result.returncode}\n"
                                               f"{result.stdout[-2000:]}{result.stderr[-2000:]}")
    return result.stdout


def rows_of(text, where, written_by, row_of):
    """A row for each line. `row_of` makes it from the line's object; `written_by` names the command that writes lines."""
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
    try:
        with open(path, encoding="utf-8") as file:
            return rows_of(file.read(), path, written_by, row_of)
    except OSError as error:
        raise Stop(USAGE, f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise Stop(USAGE, f"{path}: is no text: {error}") from error


def measure(program, rounds, options, written_by, row_of):
    """Builds deconv-bench and runs it several times. Returns the rows of all rounds."""
    run(["cmake", "--preset", "release"])
    run(["cmake", "--build", "--preset", "release", "--target", "deconv-bench"])
    rows = []
    for done in range(rounds):
        print(f"{program}: round {done + 1} of {rounds}", file=sys.stderr)
        rows += rows_of(run([BENCH, *options]), "deconv-bench", written_by, row_of)
    return rows


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
