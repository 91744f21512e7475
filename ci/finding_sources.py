# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Reads the sources of the findings and the table of campaigns, for ci/findings and ci/history. A finding is a defect
of a library that the suite found; a campaign is a long search by the fuzzer."""
import datetime
import json
import re
import tomllib

from debian_tree import Problem
from finding_page import AT_FAULT
from judging import read_rows

KINDS = {"library": ({"name", "version"}, {"link", "ended", "history"}),
         "finding": ({"name", "library", "title", "text", "case", "failure", "clause", "prints"},
                     {"at_fault", "cpu", "command", "upstream"})}
CAMPAIGN_KEYS = {"library", "date", "minutes", "cases", "judged", "failing", "causes"}


def read_sources(folder, libraries):
    """(libraries, findings) of the sources, by name. The path of its program is added to each finding."""
    recorded, findings = {}, {}
    for file in sorted((folder / "sources").glob("*.toml")):
        rows = read_rows(file, KINDS, may_lack=KINDS)
        for name in rows["library"]:
            if name not in libraries:
                raise Problem(f"{file}: libraries.toml has no library '{name}'")
        recorded |= rows["library"]
        for name, finding in rows["finding"].items():
            programs = list((folder / "reproducers").glob(f"{name}.*"))
            at_fault, cpu = finding.setdefault("at_fault", "library"), finding.get("cpu", "any")
            for right, what in ((finding["library"] in rows["library"], f"the file has no library '{finding['library']}'"),
                                (len(programs) == 1, f"expected one program {name}.* in {folder}/reproducers"),
                                (at_fault in AT_FAULT, f"at_fault is '{at_fault}', expected {', '.join(AT_FAULT)}"),
                                (re.fullmatch(r"\w+", cpu), f"cpu is '{cpu}', expected one flag of /proc/cpuinfo"),
                                (name not in findings, "another file has this name too")):
                if not right:
                    raise Problem(f"{file}: finding '{name}': {what}")
            findings[name] = {**finding, "program": programs[0]}
    for program in sorted((folder / "reproducers").glob("*-*.*")):
        if program.stem not in findings:
            raise Problem(f"{program}: no source has a finding of this name")
    return recorded, findings


def flags_of_this_cpu(path):
    """The features of the CPU that runs this: `flags` of x86, `Features` of ARM."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return {flag for line in lines if re.match("flags|Features", line) for flag in line.partition(":")[2].split()}


def read_campaigns(folder, libraries):
    """The campaigns of campaigns.toml, in its order."""
    file = folder / "campaigns.toml"
    try:
        campaigns = tomllib.loads(file.read_text(encoding="utf-8"))["campaigns"] if file.exists() else []
    except (tomllib.TOMLDecodeError, KeyError) as error:
        raise Problem(f"{file}: {error}") from error
    for number, campaign in enumerate(campaigns, 1):
        if wrong := CAMPAIGN_KEYS ^ set(campaign):
            raise Problem(f"{file}: campaign {number}: missing or unknown: {', '.join(sorted(wrong))}")
        if campaign["library"] not in libraries:
            raise Problem(f"{file}: campaign {number}: libraries.toml has no library '{campaign['library']}'")
    return campaigns


def rows_of_campaigns(results, libraries):
    """The rows of campaigns.toml for the campaigns that `ci/backends --fuzz` left in a folder, in the order of the libraries."""
    rows = []
    for name in libraries:
        file = results / f"{name}-fuzz" / "campaign.json"
        if not file.exists():
            continue
        try:
            ran = json.loads(file.read_text(encoding="utf-8"))
            end = datetime.datetime.fromtimestamp(file.stat().st_mtime, datetime.timezone.utc)
            rows.append({"library": name, "date": end.date(),
                         "minutes": round(ran["seconds"] / 60), "cases": ran["executions"], "judged": ran["judged"],
                         "failing": ran["findings"], "causes": len(ran["groups"])})
        except (ValueError, KeyError) as error:
            raise Problem(f"{file}: {error!r}") from error
    return rows


def write_campaigns(folder, libraries, results):
    """Adds the campaigns of a folder to campaigns.toml. A campaign replaces the library's row."""
    rows = {row["library"]: row for row in read_campaigns(folder, libraries)}
    rows |= {row["library"]: row for row in rows_of_campaigns(results, libraries)}
    file = folder / "campaigns.toml"
    head = file.read_text(encoding="utf-8").partition("campaigns =")[0] if file.exists() else ""
    lines = []
    for row in rows.values():
        figures = ", ".join(f"{key} = {row[key]:_}" for key in ("minutes", "cases", "judged", "failing", "causes"))
        lines.append(f'    {{library = "{row["library"]}", date = {row["date"]}, {figures}}},\n')
    file.write_text(f"{head}campaigns = [\n{''.join(lines)}]\n", encoding="utf-8")
