# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Writes the support matrix for ci/findings, as a table and as a picture: what each library supports and computes
right.

A row is a library. A column is a feature of operators, such as dilation, or an element type. A cell says how the
library answered the valid operators with that feature or type. The columns of features count operators of type f32
only, or of the library's first type if it has no f32. So one wrong type does not show in every column.
"""
import re

from library_report import PASSED

# The words of a cell that is no share, and the colour of each. FEW is on pages from before cells had counts.
RIGHT, REFUSED, FEW, NONE, NO, NOT_RUN = "right", "refused", "?", "-", "no", ""
COLOURS = {RIGHT: "#2e8b57", REFUSED: "#c0504d", FEW: "#bcc8d8", NONE: "#e8e8e8", NO: "#a8a8a8", NOT_RUN: "white"}
FEWEST = 10  # with fewer judged operators, a cell has counts, as `3/4`: a share would say little
MIXED_COLOURS = ((90, "#9bbb59"), (50, "#f2c14e"), (0, "#d9824b"))  # from this share of right answers on
TYPES = ("f32", "f64", "f16", "bf16", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64")


def integers(text):
    """The integers of a list of a case line, such as 2,2."""
    return [int(value) for value in text.split(",") if value.lstrip("-").isdigit()]


def read_case(line):
    """The keys of a case line, and its kind."""
    kind, *fields = line.split(":")
    return {"kind": kind, **dict(field.partition("=")[::2] for field in fields)}


def groups_of(case):
    """The number of groups of an operator. A case may have attributes of other operators, which do not count."""
    if case["kind"] == "GroupConvolutionBackpropData":
        return integers(case["filter"])[0]
    return 1 if case["kind"] == "ConvolutionBackpropData" else integers(case.get("groups", "1"))[0]


def has_output_shape(case):
    """Whether the operator gets the shape of its output."""
    return ("output_shape_attribute" if case["kind"] == "ConvTranspose" else "output_shape") in case


def more_than(name, limit):
    """Returns a function that says whether a case has a number above the limit in the list `name`."""
    return lambda case: max(integers(case.get(name, "")), default=limit) > limit


def rank_of(case):
    """The number of spatial axes: data have two more, for batch and channels."""
    return case["data"].count(",") - 1


def is_channels_last(case):
    return case["kind"] == "ConvolutionBackwardData" and case.get("data_format", "NXC") == "NXC"


# The columns of features: whether an operator has it, from the keys of its case line.
FEATURES = {
    "1-D": lambda case: rank_of(case) == 1,
    "2-D": lambda case: rank_of(case) == 2,
    "3-D": lambda case: rank_of(case) == 3,
    "groups": lambda case: groups_of(case) > 1,
    "dilations": more_than("dilations", 1),
    "3-D, groups": lambda case: rank_of(case) == 3 and groups_of(case) > 1,
    "3-D, groups, dilations": lambda case: rank_of(case) == 3 and groups_of(case) > 1 and more_than("dilations", 1)(case),
    "output_padding": more_than("output_padding", 0),
    "output_shape": has_output_shape,
    "auto_pad": lambda case: case.get("auto_pad", "explicit").lower() not in ("explicit", "notset"),
    "channels last": is_channels_last,
}
COLUMNS = (*FEATURES, *TYPES)
# The words of a declaration that exclude a feature: process_protocol.md, `unsupported`.
EXCLUDED_BY = {"groups": "groups", "dilations": "dilations", "output_padding": "output-padding", "auto_pad": "auto-pad",
               "channels last": "nxc"}


def is_judged(record):
    """Whether the suite judged the answer to a valid operator. A record without output dims is an invalid operator."""
    return record["status"] in (*PASSED, "fail") and bool(record["output_dims"])


def cell_of(records):
    """The word of a cell: `right`, `refused`, the share of right answers, `3/4` if few were judged, or `-` if none was."""
    right = sum(record["status"] in PASSED for record in records)
    if len(records) < FEWEST:
        return f"{right}/{len(records)}" if records else NONE
    if right == len(records):
        return RIGHT
    if all(record.get("failure") == "wrong-refusal" for record in records):
        return REFUSED
    return f"{min(99, 100 * right // len(records))} %"


def declares_no(declared, column):
    """Whether a library's declaration excludes a column. It is exact, while a run may end before it reaches an operator."""
    if column in TYPES:
        return column not in declared.get("element_types", TYPES)
    if ", " in column:
        return any(declares_no(declared, part) for part in column.split(", "))
    if column in ("1-D", "2-D", "3-D"):
        return not declared.get("min_rank", 0) <= int(column[0]) + 2 <= declared.get("max_rank", 9)
    if column == "channels last" and "ConvolutionBackwardData" not in declared.get("operators", ["ConvolutionBackwardData"]):
        return True
    return EXCLUDED_BY.get(column) in declared.get("unsupported", [])


def cells_of(cases, declared):
    """The cells of a library, in the order of COLUMNS, from the case records of its report and from what it declared."""
    judged = [(read_case(record["case"]), record) for record in cases if is_judged(record)]
    by_type = {name: [record for case, record in judged if case.get("type", "f32") == name] for name in TYPES}
    main = next((name for name in TYPES if by_type[name]), "f32")
    of_main = [(case, record) for case, record in judged if case.get("type", "f32") == main]
    cells = [cell_of([record for case, record in of_main if feature(case)]) for feature in FEATURES.values()] + [
        cell_of(by_type[name]) for name in TYPES]
    return [NO if cell == NONE and declares_no(declared, column) else cell for column, cell in zip(COLUMNS, cells)]


def colour_of(cell):
    """The colour of a cell in the picture."""
    if cell in COLOURS:
        return COLOURS[cell]
    if "/" in cell:
        return COLOURS[FEW]
    share = int(cell.split()[0])
    return next(colour for least, colour in MIXED_COLOURS if share >= least)


HEADER = f"| library | {' | '.join(COLUMNS)} |\n|{'---|' * (len(COLUMNS) + 1)}\n"


def row_of(title, cells):
    """The row of a library in the table of the page."""
    return f"| {title} | {' | '.join(cells)} |\n"


def measured(rows):
    """The rows without those of libraries that were not run. `rows` is {title: cells}."""
    return {title: cells for title, cells in rows.items() if set(cells) != {NOT_RUN}}


def rows_in(page):
    """{title: cells} of the table in a page. A cell is NOT_RUN where an older page lacks the column."""
    head = re.search(r"^\| library \| 1-D \|.*\n\|[-|]*\n", page, re.MULTILINE)
    if head is None:
        return {}
    names, *rows = ([field.strip() for field in line[1:-1].split("|")]
                    for line in (head[0].splitlines()[0] + "\n" + page[head.end():].split("\n\n")[0]).splitlines())
    written = {title: dict(zip(names[1:], cells)) for title, *cells in rows}
    return {title: [cells.get(column, NOT_RUN) for column in COLUMNS] for title, cells in written.items()}


LEFT, TOP, SIDE, HEIGHT = 280, 150, 34, 20  # pixels: the titles, the names of the columns, a cell
LEGEND = ((RIGHT, COLOURS[RIGHT]), ("90 % right", MIXED_COLOURS[0][1]), ("50 %", MIXED_COLOURS[1][1]),
          ("less", MIXED_COLOURS[2][1]), (REFUSED, COLOURS[REFUSED]), ("few judged", COLOURS[FEW]), ("not supported", COLOURS[NO]),
          ("none judged", COLOURS[NONE]))


def text(x, y, words, more=""):
    """A text of the picture, with `more` attributes of SVG."""
    return f'<text x="{x}" y="{y}" {more}>{words}</text>'.replace(" >", ">")


def picture(rows):
    """The table as SVG. `rows` is {title: cells}."""
    width, height = LEFT + SIDE * len(COLUMNS) + 90, TOP + HEIGHT * len(rows) + 40
    parts = ['<?xml version="1.0" encoding="UTF-8"?>', "<!-- SPDX-FileCopyrightText: the deconv-cts authors -->",
             "<!-- SPDX-License-Identifier: Apache-2.0 -->", "<!-- Written by ci/findings. -->",
             f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
             "<title>What each library supports, and what it computes right</title>",
             f'<rect width="{width}" height="{height}" fill="white"/>']
    for number, column in enumerate(COLUMNS):
        x, y = LEFT + SIDE * number + 20, TOP - 6
        parts.append(text(x, y, column, f'transform="rotate(-50 {x} {y})"'))
    for line, (title, cells) in enumerate(rows.items()):
        y = TOP + HEIGHT * line
        parts.append(text(LEFT - 8, y + 14, re.sub("&", "&amp;", title), 'text-anchor="end"'))
        for number, cell in enumerate(cells):
            x = LEFT + SIDE * number
            parts.append(f'<rect x="{x}" y="{y}" width="{SIDE - 2}" height="{HEIGHT - 2}" fill="{colour_of(cell)}"/>')
            if "%" in cell or "/" in cell:
                parts.append(text(x + 16, y + 14, cell.split()[0], 'text-anchor="middle" font-size="11"'))
    for number, (words, colour) in enumerate(LEGEND):
        x, y = LEFT - 140 + 110 * number, height - 26
        parts.append(f'<rect x="{x}" y="{y}" width="16" height="16" fill="{colour}"/>')
        parts.append(text(x + 22, y + 13, words))
    return "\n".join([*parts, "</svg>", ""])
