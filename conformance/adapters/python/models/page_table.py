# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Writes a table into a page of Markdown, between two comments that name the program that makes the table. It serves
the programs capture_models, export_models and replay_reports."""
import re


def line_of(cells):
    """Returns a row of a table: "| a | b |"."""
    return "| " + " | ".join(str(cell) for cell in cells) + " |\n"


def cells_of(line):
    """Returns the cells of a row of a table."""
    return line.removeprefix("| ").removesuffix(" |\n").split(" | ")


def write_table(page, program, header, rows, are_all=True, total_of=None):
    """Replaces the table between the marks of `program`. `rows` are all rows of the new table if `are_all`; otherwise
    the page keeps its rows with other first cells. `total_of` makes the last row, whose first cell is "N files", from
    all other rows."""
    begin, end = (f"<!-- the table of {program} {word} -->\n" for word in ("begins", "ends"))
    text = page.read_text(encoding="utf-8")
    head, has_begin, rest = text.partition(begin)
    old, has_end, tail = rest.partition(end)
    if not has_begin or not has_end:
        raise SystemExit(f"{program}: {page} has no line {(begin if not has_begin else end).strip()}; add it")
    kept = [] if are_all else [cells_of(line) for line in old.splitlines(keepends=True)[3:] if line.startswith("| ")]
    by_name = {row[0]: row for row in kept + rows if not (total_of and re.fullmatch(r"\d+ files", row[0]))}
    lines = list(by_name.values())
    if total_of:
        lines.append(total_of(lines))
    table = line_of(header) + "|---" * len(header) + "|\n" + "".join(map(line_of, lines))
    page.write_text(head + begin + "\n" + table + "\n" + end + tail, encoding="utf-8")
