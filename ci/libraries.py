# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Reads conformance/adapters/libraries.toml, the table of other people's libraries. ci/backends runs the suite on
them, and ci/findings shows defects of them."""
from debian_tree import ROOT
from judging import read_rows

LIBRARIES = ROOT / "conformance/adapters/libraries.toml"
REQUIRED = {"name", "title", "dialect", "command", "expect"}
OPTIONAL = {"apt", "npm", "pip", "cargo", "native", "level", "limits", "selection", "also"}


def level_of(library):
    """The level at which ci/backends judges a library."""
    return library.get("level", "gate")


def read_libraries(path=LIBRARIES):
    """The rows of libraries.toml, by name."""
    return read_rows(path, {"library": (REQUIRED, OPTIONAL)})["library"]
