# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Writes a table into a page, between the marks of the program that makes the table."""


def line_of(cells):
    return "| " + " | ".join(str(cell) for cell in cells) + " |\n"


def lines_by_name(lines):
    """The lines of a table below its header, by their first cells."""
    return {line.split(" | ")[0]: line for line in lines}


def write_table(page, program, header, rows, are_all=True):
    """Replaces the table between the marks of `program`. Without `are_all`, the page keeps rows with other first
    cells."""
    begin, end = (f"<!-- the table of {program} {word} -->\n" for word in ("begins", "ends"))
    text = page.read_text(encoding="utf-8")
    head, has_begin, rest = text.partition(begin)
    old, has_end, tail = rest.partition(end)
    if not has_begin or not has_end:
        raise SystemExit(f"{program}: {page} has no line {(begin if not has_begin else end).strip()}; add it")
    kept = {} if are_all else lines_by_name(line for line in old.splitlines(keepends=True)[3:] if line.startswith("| "))
    lines = kept | lines_by_name(map(line_of, rows))
    table = line_of(header) + "|---" * len(header) + "|\n" + "".join(lines.values())
    page.write_text(head + begin + "\n" + table + "\n" + end + tail, encoding="utf-8")
