# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Writes the text of conformance/findings/README.md, and its picture, for ci/findings. The page lists libraries and the
defects ("findings") that the suite found in them."""
import collections
import os
import re
import textwrap
import tomllib

import support_matrix
from debian_tree import ROOT
from finding_history import WORDS, span_of
from libraries import level_of
from library_report import read_report

AT_FAULT = {"library": "the library", "document": "the library's document", "specification": "the specification"}
HEAD = """<!-- SPDX-FileCopyrightText: the deconv-cts authors -->
<!-- SPDX-License-Identifier: Apache-2.0 -->
<!-- Written by ci/findings. -->

# Findings

The suite judges libraries that compute transposed convolution. This page says what each library supports, what it
computes wrong, and how you see that without the suite.

## Support by library

![What each library supports, and what it computes right](support.svg)

A cell says what the library did with the valid operators of a kind that the run judged:

| cell | meaning |
|---|---|
| `right` | it computes all of them right |
| `98 %` | it computes this share right |
| `3/4` | it computes three of only four right |
| `refused` | it refuses all of them |
| `no` | the library, or its adapter, declares that it does not support them |
| `-` | the run judged none, and nothing follows: a short run may end before it reaches them |

An operator counts in each column that fits it. `groups` has operators of all ranks. `3-D, groups` has those with three
spatial axes and more than one group. `3-D, groups, dilations` has those of them that also have a dilation above 1. The
columns from `1-D` to `channels last` count f32 only, or the library's first type if it has no f32. The columns from
`f32` on count all operators of a type.

A row comes from one run of `ci/backends`. [The next table](#how-each-library-answered) names the level of this run, and
its time if it was limited. For a library with the key `also` in [libraries.toml](../adapters/libraries.toml), a second
run adds cases that the first one lacks.

"""
UNMEASURED = "Not in the table, because the last run of the library left no report: "
EMPTY = "An empty cell means that the library's row is older than the column."
ANSWERS = """
## How each library answered

`ci/backends` judges these libraries. The table says how each library answered. At a level with a time, the library ran
for this time only, with the most different cases first.

| library | version | dialect | level | supported | passed | failed, by class | worst error/bound | fits best |
|---|---|---|---|---|---|---|---|---|
"""
KNOWN = """
`supported` is the share of the cases of the declared operators that the library's adapter supports; `-` means that it
supports every case that the run reached. `worst error/bound` is that of the passed cases. `fits best` is the dialect
that most answers to deciding cases fit. An answer with a wrong value fits none.

## Known failures

A library's file of known failures has an entry, with a reason, for each way in which it fails. `ci/backends` ends with
exit code 1 if a library fails in another way. A failure that was reduced to a program is a defect, and has a section
below. If it ended the process, or let it touch memory that is not its own, [What ended](#what-ended) has it. For a
library without either, the file says all that is known of its failures.

`name` is what `ci/backends` calls the library.

| library | name | known failures | defects |
|---|---|---|---|
"""
DEFECTS = """
## Defects

Each section has the smallest case, and a program that shows the defect without the suite. The
[clauses](../../oracle/clauses.md) say what is right. A defect with a CPU shows only where /proc/cpuinfo has this flag.

The case and the program need the library. `ci/backends --setup NAME` installs it in an environment of its own, with the
`name` of the table above. Then `ci/findings --check DEFECT` runs both, and `ci/findings --check` those of all
libraries. To run the program by hand, install the version that the section names, for example by
`pip install PACKAGE==VERSION`. [libraries.toml](../adapters/libraries.toml) names the packages of each library.
"""
ENDED = """
## What ended

These cases ended a process, or let it touch memory that is not its own. The page names neither the input nor a program.
"""
HISTORY = """
## History

`ci/history` ran the programs of these defects on old versions from PyPI. It runs the libraries whose source names a
package of PyPI, and leaves out defects of other CPUs than its own.

"""
UNTRIED = "These defects of the same libraries have no history, because they need another CPU or are younger than the run: "
CAMPAIGNS = """
## Campaigns

`ci/backends --fuzz` searched these libraries with generated cases. `judged` counts the cases that the library
supports. `failing` counts the failing cases that the campaign kept, and `causes` the groups that look alike. Campaigns
of 2026-11-30 left out the [known failures](#known-failures) of the library; older ones kept them. Those of 2026-11-30
shared two busy CPUs, two to five at a time, and judged fewer cases than an idle machine would.

| library | date | minutes | cases | judged | failing | causes |
|---|---|---|---|---|---|---|
"""


def filled(text, indent=""):
    """The text in lines of the page's width."""
    return textwrap.fill(text, 118, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False) + "\n"


def best_fit(summary):
    """The dialects that most answers to deciding cases fit, each with the number of fitting and of deciding cases. A
    case is deciding if the dialects give it different answers."""
    words = []
    for fit in summary["dialect_fits"]:
        name, fitting = fit.get("better", fit["declared"]), fit.get("better_fitting", fit["fitting"])
        if fit["deciding"]:
            words.append(f"{name} ({fitting} of {fit['deciding']})")
    return ", ".join(words) or "no deciding case"


def support_of(library, path, written):
    """The cells of a library's row of the support matrix, from the reports that ci/backends wrote. Without a report they are
    those of the page, `written`."""
    report = read_report(path)
    if report.summary:
        also = read_report(path.with_stem(f"{path.stem}-also")).cases if "also" in library else []
        cases = {case["id"]: case for case in report.cases + also}  # both runs may have judged a case
        return support_matrix.cells_of(list(cases.values()), report.declared)
    return support_matrix.rows_in(written).get(library["title"], [support_matrix.NOT_RUN] * len(support_matrix.COLUMNS))


def level_with_budget(library, level):
    """A level, and the budget of time that ci/backends gives the library: `smoke, 120s`."""
    options = library.get("selection", [])
    return ", ".join([level, *(after for option, after in zip(options, options[1:]) if option == "--budget")])


def table_row(start, library, path, written):
    """A library's row, from the report that ci/backends wrote. Without a report it is the row that the page has, or one that
    says that the library was not run."""
    report = read_report(path)
    if not report.summary:
        row = re.search(f"^{re.escape(start)}.*\n", written, re.MULTILINE)
        return row[0] if row else f"{start} not run | {library['dialect']} | {level_with_budget(library, level_of(library))} |{' - |' * 5}\n"
    by_class = collections.Counter(case["failure"] for case in report.cases if case["status"] == "fail")
    failed = ", ".join(f"{name} {count}" for name, count in by_class.most_common()) or "none"
    worst = max((case["worst_error_over_bound"] or 0 for case in report.cases if case["status"] == "pass"), default=0)
    return (f"{start} {report.declared['version']} | {library['dialect']} | {level_with_budget(library, report.level)} | {report.share()} | "
            f"{report.passed()} | {failed} | {worst:.2f} | {best_fit(report.summary)} |\n")


def span_in(history, finding):
    """Since when and until when a finding is shown, as a line, or "" if ci/history did not run it."""
    rows = history.get(finding["library"], {"versions": [], "findings": {}})
    return span_of(rows["versions"], rows["findings"].get(finding["name"], []))


def page_link(path):
    """The path of a file of this project, as a link of the page."""
    return os.path.relpath(ROOT / path, ROOT / "conformance/findings")


def known_row(library, findings, ended):
    """The row that says where the failures of a library are explained: its known failures, its findings, and the number of
    sentences on what ended."""
    entries = len(tomllib.loads((ROOT / library["expect"]).read_text(encoding="utf-8")).get("expect", []))
    defects = [f"[{finding['name']}](#{finding['name']})" for finding in findings.values() if finding["library"] == library["name"]]
    defects += [f"{ended} of [What ended](#what-ended)"] if ended else []
    count = {0: "none", 1: "1 entry"}.get(entries, f"{entries} entries")
    known = f"[{count}]({page_link(library['expect'])})"
    return f"| {library['title']} | `{library['name']}` | {known} | {', '.join(defects) or 'none'} |\n"


def section(finding, library, recorded, history):
    """The section of a finding."""
    program = finding["program"].name
    cpu = f" CPU: `{finding['cpu']}`." if "cpu" in finding else ""
    built = f", built by `g++ -std=c++20 {program} {recorded['link']}`," if program.endswith(".cc") else ""
    if program.endswith(".rs"):
        built = ", a program of the [crate of adapters](../adapters/rust/Cargo.toml),"
    return "\n".join([
        f"\n### {finding['name']}\n",
        filled(f"**{finding['title']}.** {library['title']} {recorded['version']}, class `{finding['failure']}`, clause "
               f"{finding['clause']}. At fault: {AT_FAULT[finding['at_fault']]}.{cpu}"),
        f"{finding['text'].strip()}\n",
        f"```text\n{finding['case']}\n```\n",
        filled(f"`ci/findings --replay {finding['name']}` replays this case. [{program}](reproducers/{program}){built} prints:"),
        f"```text\n{finding['prints'].strip()}\n```\n",
        *([filled(f"History: {span}")] if (span := span_in(history, finding)) else []),
        filled("Upstream: " + finding.get("upstream", "A search found no public report of this.").strip())])


def history_tables(libraries, history, findings):
    """The findings that ci/history left out, and a table of versions for each library that it ran."""
    untried = [f"[{name}](#{name})" for name, finding in findings.items()
               if finding["library"] in history and name not in history[finding["library"]]["findings"]]
    if untried:
        yield "\n" + filled(UNTRIED + ", ".join(untried) + ".")
    for name, rows in history.items():
        yield f"\n### History of {libraries[name]['title']}\n\n"
        yield f"| defect | {' | '.join(rows['versions'])} |\n|{'---|' * (len(rows['versions']) + 1)}\n"
        for finding, words in rows["findings"].items():
            yield f"| [{finding}](#{finding}) | {' | '.join(words)} |\n"


def page_of(page, libraries, recorded, findings, campaigns, history, results):
    """The text of the page, and of its picture support.svg."""
    written = page.read_text(encoding="utf-8") if page.exists() else ""
    support = {library["title"]: support_of(library, results / f"{name}.json", written) for name, library in libraries.items()}
    measured = support_matrix.measured(support)
    parts = [HEAD, support_matrix.HEADER, *(support_matrix.row_of(title, cells) for title, cells in measured.items())]
    if unmeasured := [title for title in support if title not in measured]:
        parts.append("\n" + filled(UNMEASURED + "; ".join(unmeasured) + "."))
    if any(support_matrix.NOT_RUN in cells for cells in measured.values()):
        parts.append("\n" + filled(EMPTY))
    parts.append(ANSWERS)
    for name, library in libraries.items():
        start = f"| [{library['title']}]({page_link(library['expect'])}) |"
        parts.append(table_row(start, library, results / f"{name}.json", written))
    parts.append(KNOWN)
    parts += [known_row(library, findings, len(recorded.get(name, {}).get("ended", []))) for name, library in libraries.items()]
    parts.append(DEFECTS)
    parts += [section(finding, library, recorded[name], history) for name, library in libraries.items()
              for finding in findings.values() if finding["library"] == name]
    ended = [filled(f"- {library['title']} {recorded[name]['version']}: {sentence}", "  ") for name, library in libraries.items()
             for sentence in recorded.get(name, {}).get("ended", [])]
    parts += [ENDED + "\n", *ended] if ended else []
    if history:
        words = [filled(f"- `{word}`: {meaning}", "  ") for word, meaning in WORDS.items()]
        parts += [HISTORY, *words, *history_tables(libraries, history, findings)]
    parts += [CAMPAIGNS] if campaigns else []
    for campaign in campaigns:
        figures = " | ".join(f"{campaign[key]:,}" for key in ("minutes", "cases", "judged", "failing", "causes"))
        parts.append(f"| {libraries[campaign['library']]['title']} | {campaign['date']} | {figures} |\n")
    return "".join(parts), support_matrix.picture(measured)
