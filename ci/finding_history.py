# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Reads and writes conformance/findings/history.toml, and says in which versions of a library a defect is shown.

The file has a table for each library. It lists the versions, newest first, and for each finding (a recorded defect)
one word for each version. WORDS has the words and their meanings.
"""
import tomllib

from debian_tree import Problem

SHOWN, OTHER, STOPPED, NOT_INSTALLED = "shown", "other", "stopped", "not-installed"
WORDS = {SHOWN: "the program prints what the source has recorded", OTHER: "it prints something else",
         STOPPED: "it ended with an error, as where the version has no such function",
         NOT_INSTALLED: "pip cannot install the version"}
HEAD = """# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
#
# The versions that show each defect. ci/history writes this file. Each list of words has the order of `versions`.
"""


def word_of(code, output, recorded):
    """The word for a version, from the exit code and the output of a finding's program. `recorded` is the output that
    shows the defect."""
    if code != 0:
        return STOPPED
    return SHOWN if output.replace("-nan", "nan").strip() == recorded.strip() else OTHER


def read_history(file):
    """{library: {"versions": [...], "findings": {name: [word, ...]}}} of a file, which may be absent."""
    if not file.exists():
        return {}
    try:
        history = tomllib.loads(file.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise Problem(f"{file}: {error}") from error
    for library, rows in history.items():
        for name, words in rows.get("findings", {}).items():
            if len(words) != len(rows["versions"]) or not set(words) <= set(WORDS):
                raise Problem(f"{file}: {library}: {name}: expected one of {', '.join(WORDS)} for each version")
    return history


def write_history(file, history):
    """Writes what read_history() returns."""
    parts = [HEAD]
    for library, rows in sorted(history.items()):
        parts.append(f"\n[{library}]\nversions = {list_of(rows['versions'])}\n\n[{library}.findings]\n")
        parts += [f"{name} = {list_of(words)}\n" for name, words in rows["findings"].items()]
    file.write_text("".join(parts), encoding="utf-8")


def list_of(texts):
    """Returns texts as a list of TOML."""
    return "[" + ", ".join(f'"{text}"' for text in texts) + "]"


def span_of(versions, words):
    """Says since when and until when a defect is shown, in a sentence, or "" if no version that ran shows it.
    `versions` and `words` are newest first. Versions on which the program did not run say nothing. Example: shown,
    shown, other for 3, 2, 1 give "The defect shows since 2."
    """
    ran = [(version, word) for version, word in zip(versions, words) if word in (SHOWN, OTHER)]
    shown = [number for number, (_, word) in enumerate(ran) if word == SHOWN]
    if not shown:
        return ""
    newest, oldest = shown[0], shown[-1]
    since = ran[oldest][0] if oldest + 1 < len(ran) else f"{ran[oldest][0]} or before"
    until = "" if newest == 0 else f", until {ran[newest][0]}"
    gaps = "" if len(shown) == oldest - newest + 1 else ", and versions between print something else"
    return f"The defect shows since {since}{until}{gaps}."
