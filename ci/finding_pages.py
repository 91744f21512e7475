# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Writes the text of conformance/findings/ for ci/findings: the front page, and the page of a finding."""
import collections
import itertools
import pathlib
import re
import textwrap

from debian_tree import Problem
from library_report import read_report

AT_FAULT = {"library": "the library", "document": "the library's document", "specification": "the specification"}
LICENSE = ("<!-- SPDX-FileCopyrightText: the deconv-cts authors -->\n<!-- SPDX-License-Identifier: Apache-2.0 -->\n"
           "<!-- Written by ci/findings. -->\n\n")


def cases_of(finding):
    """The case lines of a finding: one, or several that one process must run in this order."""
    return [finding["case"]] if isinstance(finding["case"], str) else finding["case"]


def fenced(text, language="text"):
    return f"```{language}\n{text.rstrip()}\n```\n"


def wrapped(text, width=118):
    """Paragraphs and lists of a text, with lines of at most `width` characters. A list has an item on each line."""
    def filled(lines, indent=""):
        return textwrap.fill(" ".join(lines), width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)

    parts = []
    for is_item, lines in itertools.groupby(text.strip().splitlines(), key=lambda line: line.startswith("- ")):
        if is_item:
            parts += [filled([line], "  ") for line in lines]
        else:
            parts += ["\n\n".join(filled(paragraph.splitlines()) for paragraph in "\n".join(lines).split("\n\n"))]
    return "\n".join(parts) + "\n"


def verdict_lines(output):
    """The lines of a replay that give the verdict, without the table behind them and the commands that repeat it."""
    verdict = output.partition("\nsuite ")[0]
    return "\n".join(line for line in verdict.splitlines() if not re.match(r"\s*(replay|explain):", line))


def page_of(folder, name, finding, library, version, replayed, reproduced):
    source = (folder / "reproducers" / finding["reproducer"]).read_text(encoding="utf-8")
    language = {".py": "python", ".cjs": "js"}.get(pathlib.Path(finding["reproducer"]).suffix, "cpp")
    upstream = finding.get("upstream") or "A search found no public report of this."
    parts = [
        LICENSE, f"# {library['title']}: {finding['title']}\n\n", wrapped(finding["sentence"]), "\n",
        f"| | |\n|---|---|\n| library | {library['title']} {version} |\n| failure class | `{finding['failure']}` |\n"
        f"| clause | {finding['clause']} ([clauses](../../oracle/clauses.md)) |\n"
        f"| at fault | {AT_FAULT[finding['at_fault']]} |\n",
        f"| CPU | the defect shows on CPUs with the flag `{finding['cpu']}` of /proc/cpuinfo |\n" if "cpu" in finding else "",
        "\n",
        wrapped(finding["why"]), "\n## The smallest case\n\n", fenced("\n".join(cases_of(finding))),
        "\nThe suite says:\n\n", fenced(verdict_lines(replayed[1])), "\nReplay it, after `ci/backends --setup`:\n\n",
        fenced(f"ci/findings --replay {name}"), "\n## Without the suite\n\n", fenced(source, language)]
    if "build" in finding:
        parts += ["\nBuild it with:\n\n", fenced(finding["build"])]
    parts += ["\nIt prints:\n\n", fenced(reproduced),
              "\n## Upstream\n\n", wrapped(upstream), "\nA text to send:\n\n", fenced(finding["report"])]
    return "".join(parts)


def report_of(path):
    """The report that ci/backends wrote about a library."""
    report = read_report(path)
    if not report.summary:
        raise Problem(f"{path} is not there, or has no summary; run ci/backends first")
    return report


def best_fit(summary):
    fits = [fit for fit in summary["dialect_fits"] if fit["deciding"]]
    words = []
    for fit in fits:
        name, fitting = fit.get("better", fit["declared"]), fit.get("better_fitting", fit["fitting"])
        words.append(f"{name} ({fitting} of {fit['deciding']})")
    return ", ".join(words) or "no deciding case"


def table_row(library, path):
    report = report_of(path)
    by_class = collections.Counter(case["failure"] for case in report.cases if case["status"] == "fail")
    failed = ", ".join(f"{name} {count}" for name, count in by_class.most_common()) or "none"
    worst = max((case["worst_error_over_bound"] or 0 for case in report.cases if case["status"] == "pass"), default=0)
    return (f"| {library['title']} | {report.declared['version']} | {library['dialect']} | {report.share()} | {report.passed()} | "
            f"{failed} | {worst:.2f} | {best_fit(report.summary)} |")


def known_failures(library, path):
    """A list of the reasons that the library's expectations give, with the number of cases that fail for each."""
    reasons = collections.Counter(
        (case["failure"], case.get("expected", "not expected")) for case in report_of(path).cases if case["status"] == "fail")
    lines = [f"- {count} `{failure}`: {reason}" for (failure, reason), count in reasons.most_common()]
    return ["", f"### {library['title']}", "", *wrapped("\n".join(lines)).splitlines()] if lines else []


def campaign_table(libraries, campaigns):
    if not campaigns:
        return []
    lines = ["", "## Campaigns", "", wrapped(
        "`ci/backends --fuzz` searched these libraries with generated cases. `judged` counts the cases that the library supports. "
        "`failing` counts the failing cases that the campaign kept, and `causes` the groups that look alike."),
             "| library | date | minutes | cases | judged | failing | causes | new defects |", "|---|---|---|---|---|---|---|---|"]
    for campaign in campaigns:
        new = ", ".join(f"[{name}]({name}.md)" for name in campaign["new"]) or "none"
        figures = " | ".join(f"{campaign[key]:,}" for key in ("minutes", "cases", "judged", "failing", "causes"))
        lines.append(f"| {libraries[campaign['library']]['title']} | {campaign['date']} | {figures} | {new} |")
    return lines


def front_page(libraries, results, findings, campaigns):
    lines = [
        LICENSE + "# Findings\n", wrapped(
            "`ci/backends` judges these libraries at level gate. The table says how each library answered. The findings below "
            "are defects that the suite showed; each has the smallest case and a program that needs only the library."),
        "| library | version | dialect | supported | passed | failed, by class | worst error/bound | fits best |",
        "|---|---|---|---|---|---|---|---|"]
    for name, library in libraries.items():
        lines.append(table_row(library, results / f"{name}.json"))
    lines += ["", wrapped(
        "`supported` is the share of the cases of the declared operators that the library's adapter supports. `worst error/bound` is "
        "that of the passed cases. `fits best` is the dialect that most answers to deciding cases fit."),
              "## Defects", "", wrapped("`CPU` names a flag of /proc/cpuinfo without which the defect does not show. On a CPU "
                                        "without this flag, `ci/findings` skips the defect."),
              "| finding | library | class | clause | at fault | CPU |", "|---|---|---|---|---|---|"]
    for name, finding in findings.items():
        lines.append(f"| [{finding['title']}]({name}.md) | {libraries[finding['library']]['title']} | `{finding['failure']}` | "
                     f"{finding['clause']} | {AT_FAULT[finding['at_fault']]} | {finding.get('cpu', 'any')} |")
    lines += campaign_table(libraries, campaigns)
    lines += ["", "## Failures by cause", "", "The number of cases, their failure class, and the reason that the library's file of "
              "expectations gives."]
    for name, library in libraries.items():
        lines += known_failures(library, results / f"{name}.json")
    return "\n".join(lines) + "\n"
