# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Writes a table into a page, between the marks of the program that makes the table."""


def table_of(header, rows):
    lines = [header, ["---"] * len(header), *rows]
    return "".join("| " + " | ".join(str(cell) for cell in line) + " |\n" for line in lines)


def write_table(page, program, header, rows):
    """Replaces what is between the marks of `program`. A page without both marks is left as it is."""
    begin, end = (f"<!-- the table of {program} {word} -->\n" for word in ("begins", "ends"))
    text = page.read_text(encoding="utf-8")
    head, has_begin, rest = text.partition(begin)
    _, has_end, tail = rest.partition(end)
    if not has_begin or not has_end:
        raise SystemExit(f"{program}: {page} has no line {(begin if not has_begin else end).strip()}; add it")
    page.write_text(head + begin + "\n" + table_of(header, rows) + "\n" + end + tail, encoding="utf-8")
