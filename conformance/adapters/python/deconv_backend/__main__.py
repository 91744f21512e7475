# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Runs an adapter as a backend process.

    python3 -m deconv_backend [--no-start-server] ADAPTER.py [--option KEY=VALUE]...

ADAPTER.py connects a library to deconv-cts by a call of deconv_backend.serve(). The library is loaded once in a run of
the suite: the first process starts a start server (start_server.py), and later processes are forked from it.
"""
import os
import sys

if not __package__:  # started by its folder: python3 path/to/deconv_backend
    sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

from deconv_backend import options, protocol, start_server  # noqa: E402

USAGE = "usage: python3 -m deconv_backend [--no-start-server] ADAPTER.py [--option KEY=VALUE]..."


def import_failure(error, path):
    """Returns one line that names the module that could not be imported, and why. A verdict of the suite shows only the
    end of a traceback, which would not tell it. Returns "" if the module is there and lacks a name."""
    import traceback
    if (error.name or "").split(".")[0] == os.path.splitext(os.path.basename(path))[0]:
        return f"the Python module '{error.name}' is hidden by the adapter {path}: give the adapter another name"
    if not isinstance(error, ModuleNotFoundError):
        return ""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if not frame.filename.startswith("<frozen")]
    place = f"{os.path.basename(frames[-1].filename)}:{frames[-1].lineno}"
    return (f"the Python module '{error.name}' is missing: {place} imports it, and {sys.executable} does not find it")


def run_adapter(path):
    """Runs the adapter's file, which calls serve()."""
    import runpy
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    sys.argv = [path]
    try:
        runpy.run_path(path, run_name="__main__")
    except ImportError as error:
        message = import_failure(error, path)
        if not message:
            raise
        raise SystemExit(message) from None
    serving = sys.modules.get("deconv_backend.serving")
    if serving is None or not serving.serve.was_called:
        raise SystemExit(f"{path} did not call deconv_backend.serve()")


def main(arguments):
    try:
        given, others = options.parse(arguments)
    except options.UsageError as error:
        print(error, file=sys.stderr)
        return 2
    has_start_server = "--no-start-server" not in others
    paths = [argument for argument in others if argument != "--no-start-server"]
    if len(paths) != 1 or paths[0].startswith("-"):
        print(USAGE, file=sys.stderr)
        return 0 if "--help" in paths or "-h" in paths else 2
    if not os.path.isfile(paths[0]):
        print(f"cannot find the adapter {paths[0]}", file=sys.stderr)
        return 2
    options.give(given)
    if has_start_server:
        start_server.attach(paths[0], given, lambda: run_adapter(paths[0]))  # returns only if no server can be used
    protocol.protect()
    run_adapter(paths[0])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
