# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Writes the text of conformance/findings/README.md for ci/findings."""
import collections
import os
import re
import textwrap

from debian_tree import ROOT, Problem
from library_report import read_report

AT_FAULT = {"library": "the library", "document": "the library's document", "specification": "the specification"}
HEAD = """<!-- SPDX-FileCopyrightText: the deconv-cts authors -->
<!-- SPDX-License-Identifier: Apache-2.0 -->
<!-- Written by ci/findings. -->

# Findings

`ci/backends` judges these libraries at level gate. The table says how each library answered. Each name leads to the
library's known failures, with their reasons. The sections below are defects that the suite showed.

| library | version | dialect | supported | passed | failed, by class | worst error/bound | fits best |
|---|---|---|---|---|---|---|---|
"""
BELOW_TABLE = """
`supported` is the share of the cases of the declared operators that the library's adapter supports. `worst
error/bound` is that of the passed cases. `fits best` is the dialect that most answers to deciding cases fit.

## Defects

Each section has the smallest case, and a program that shows the defect without the suite. `ci/findings --check` shows
all of them again. The [clauses](../../oracle/clauses.md) say what is right. A defect with a CPU shows only where
/proc/cpuinfo has this flag.
"""
ENDED = """
## What ended

These cases ended a process, or let it touch memory that is not its own. The page names neither the input nor a program.
"""
CAMPAIGNS = """
## Campaigns

`ci/backends --fuzz` searched these libraries with generated cases. `judged` counts the cases that the library
supports. `failing` counts the failing cases that the campaign kept, and `causes` the groups that look alike.

| library | date | minutes | cases | judged | failing | causes |
|---|---|---|---|---|---|---|
"""


def filled(text, indent=""):
    return textwrap.fill(text, 118, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False) + "\n"


def best_fit(summary):
    words = []
    for fit in summary["dialect_fits"]:
        name, fitting = fit.get("better", fit["declared"]), fit.get("better_fitting", fit["fitting"])
        if fit["deciding"]:
            words.append(f"{name} ({fitting} of {fit['deciding']})")
    return ", ".join(words) or "no deciding case"


def table_row(start, library, path, page):
    """A library's row, from the report that ci/backends wrote. Without a report it is the row that the page has."""
    report = read_report(path)
    if not report.summary:
        row = re.search(f"^{re.escape(start)}.*\n", page.read_text(encoding="utf-8") if page.exists() else "", re.MULTILINE)
        if row is None:
            raise Problem(f"{path} is not there, or has no summary; run ci/backends first")
        return row[0]
    by_class = collections.Counter(case["failure"] for case in report.cases if case["status"] == "fail")
    failed = ", ".join(f"{name} {count}" for name, count in by_class.most_common()) or "none"
    worst = max((case["worst_error_over_bound"] or 0 for case in report.cases if case["status"] == "pass"), default=0)
    return (f"{start} {report.declared['version']} | {library['dialect']} | {report.share()} | {report.passed()} | {failed} | "
            f"{worst:.2f} | {best_fit(report.summary)} |\n")


def section(finding, library, recorded):
    """The section of a finding."""
    program = finding["program"].name
    cpu = f" CPU: `{finding['cpu']}`." if "cpu" in finding else ""
    built = f", built by `g++ -std=c++20 {program} {recorded['link']}`," if program.endswith(".cc") else ""
    return "\n".join([
        f"\n### {finding['name']}\n",
        filled(f"**{finding['title']}.** {library['title']} {recorded['version']}, class `{finding['failure']}`, clause "
               f"{finding['clause']}. At fault: {AT_FAULT[finding['at_fault']]}.{cpu}"),
        f"{finding['text'].strip()}\n",
        f"```text\n{finding['case']}\n```\n",
        filled(f"`ci/findings --replay {finding['name']}` replays this case. [{program}](reproducers/{program}){built} prints:"),
        f"```text\n{finding['prints'].strip()}\n```\n",
        filled("Upstream: " + finding.get("upstream", "A search found no public report of this.").strip())])


def page_of(page, libraries, recorded, findings, campaigns, results):
    parts = [HEAD]
    for name, library in libraries.items():
        expected = os.path.relpath(ROOT / library["expect"], ROOT / "conformance/findings")
        parts.append(table_row(f"| [{library['title']}]({expected}) |", library, results / f"{name}.json", page))
    parts.append(BELOW_TABLE)
    parts += [section(finding, library, recorded[name]) for name, library in libraries.items()
              for finding in findings.values() if finding["library"] == name]
    ended = [filled(f"- {library['title']} {recorded[name]['version']}: {sentence}", "  ") for name, library in libraries.items()
             for sentence in recorded.get(name, {}).get("ended", [])]
    parts += [ENDED + "\n", *ended] if ended else []
    parts += [CAMPAIGNS] if campaigns else []
    for campaign in campaigns:
        figures = " | ".join(f"{campaign[key]:,}" for key in ("minutes", "cases", "judged", "failing", "causes"))
        parts.append(f"| {libraries[campaign['library']]['title']} | {campaign['date']} | {figures} |\n")
    return "".join(parts)
