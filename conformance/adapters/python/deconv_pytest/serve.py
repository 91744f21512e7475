# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Serves an object of a module as a backend: `python3 -m deconv_backend path/to/serve.py --option adapter=MODULE:NAME`.

NAME is a function deconv(data, filter, geometry), or a dict of the arguments of deconv_backend.serve().
"""
import importlib
import os
import sys

import deconv_backend


def arguments_of(adapter, words):
    """Returns the arguments of serve() for a function or a dict. `words` is its name, MODULE:NAME."""
    if callable(adapter):
        return {"deconv": adapter, "name": words, "version": "0", "types": ["f32"], "max_rank": 5}
    if isinstance(adapter, dict):
        return {"name": words, "version": "0", **adapter}
    raise SystemExit(f"{words} is {type(adapter).__name__}, expected a function or a dict of arguments of deconv_backend.serve()")


def main():
    words = deconv_backend.option("adapter", "")
    # The folders in which pytest finds modules.
    sys.path[:0] = [folder for folder in os.environ.get("DECONV_PYTEST_PATH", "").split(os.pathsep) if folder]
    module, _, name = words.partition(":")
    try:
        adapter = getattr(importlib.import_module(module), name)
    except AttributeError:
        raise SystemExit(f"the module {module} has no {name}") from None
    deconv_backend.serve(**arguments_of(adapter, words))


if __name__ == "__main__":
    main()
