# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Reads the JSON report of a run on one library, for ci/backends and ci/findings."""
import dataclasses
import json

# Verdicts of right answers.
PASSED = ("pass", "imprecise", "vacuous")


@dataclasses.dataclass
class Report:
    """The records of one run: what the library declared, its cases with their verdicts, how many cases it supports, and
    the totals. `summary`, the totals, is empty if the run did not reach its end."""

    declared: dict = dataclasses.field(default_factory=dict)
    level: str = ""
    cases: list = dataclasses.field(default_factory=list)
    support: dict = dataclasses.field(default_factory=dict)
    summary: dict = dataclasses.field(default_factory=dict)

    def passed(self):
        return sum(case["status"] in PASSED for case in self.cases)

    def failed(self):
        return sum(case["status"] == "fail" for case in self.cases)

    def share(self):
        """The share of the cases of the declared operators that the library supports: "87 %", or "-" if it is
        unknown."""
        if not self.support.get("total"):
            return "-"
        return f"{100 * self.support['supported'] / self.support['total']:.0f} %"


def read_report(path):
    """The report in a file of JSON lines. Without the file it is empty."""
    report = Report()
    if not path.exists():
        return report
    for line in path.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        if record["record"] == "run":
            report.declared, report.level = record["declared"], record["level"]
        elif record["record"] == "case":
            report.cases.append(record)
        elif record["record"] == "support":
            report.support = record
        elif record["record"] == "summary":
            report.summary = record["backends"][0]
    return report
