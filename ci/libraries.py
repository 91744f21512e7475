# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Reads the table of the libraries that ci/backends gates and in which ci/findings shows defects."""
from debian_tree import ROOT
from judging import read_rows

LIBRARIES = ROOT / "conformance/adapters/libraries.toml"
REQUIRED = {"name", "title", "dialect", "command", "expect"}
OPTIONAL = {"apt", "npm", "pip", "cargo", "native", "limits", "selection"}


def read_libraries(path=LIBRARIES):
    """The rows of libraries.toml, by name."""
    return read_rows(path, {"library": (REQUIRED, OPTIONAL)})["library"]
