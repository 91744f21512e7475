# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Records the transposed convolutions of a Python script. The script runs as usual; calls of PyTorch, TensorFlow and
PaddlePaddle are recorded from the import of the framework on."""
import contextlib
import importlib
import importlib.abc
import importlib.util
import os
import runpy
import sys
import traceback

from deconv_capture.recorder import CaptureError


# The module of each framework, and the module here that watches it.
_READERS = {"torch": "pytorch_reader", "tensorflow": "tensorflow_reader", "paddle": "paddle_reader"}


def _watch(framework, module, recorder, stack):
    """Records the calls of a framework, whose module is loaded, until the stack is closed."""
    reader = importlib.import_module("deconv_capture." + _READERS[framework])
    stack.enter_context(reader.watching(module, recorder))


class _AfterImport(importlib.abc.MetaPathFinder):
    """Watches a framework as soon as its module is loaded: it finds the module as Python would, and then calls
    _watch."""

    def __init__(self, recorder, stack):
        self.recorder, self.stack, self.busy = recorder, stack, set()

    def find_spec(self, name, path=None, target=None):
        """Returns Python's own answer for a framework, with a loader that also watches. None leaves the module to
        others."""
        if name not in _READERS or name in self.busy:
            return None
        self.busy.add(name)  # importlib asks all finders, so this one, too
        try:
            spec = importlib.util.find_spec(name)
        finally:
            self.busy.discard(name)
        if spec is None or spec.loader is None:
            return None
        execute = spec.loader.exec_module

        def execute_and_watch(module):
            execute(module)
            _watch(name, module, self.recorder, self.stack)

        spec.loader.exec_module = execute_and_watch
        return spec


@contextlib.contextmanager
def watching(recorder):
    """Records the calls of all frameworks in the body of `with`."""
    with contextlib.ExitStack() as stack:
        for name in _READERS:
            if name in sys.modules:
                _watch(name, sys.modules[name], recorder, stack)
        finder = _AfterImport(recorder, stack)
        sys.meta_path.insert(0, finder)
        stack.callback(sys.meta_path.remove, finder)
        yield


def _print_traceback(path, error):
    """Prints the frames of the script, without those that started it."""
    trace = error.__traceback__
    while trace is not None and os.path.abspath(trace.tb_frame.f_code.co_filename) != os.path.abspath(path):
        trace = trace.tb_next
    traceback.print_exception(type(error), error, trace)


def capture(path, recorder, arguments):
    """Runs the script with these arguments and records its layers."""
    sys.argv = [path, *arguments]
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    try:
        with watching(recorder):
            runpy.run_path(path, run_name="__main__")
    except CaptureError:
        raise
    except SystemExit as end:
        if end.code not in (None, 0):
            raise CaptureError(f"{path} ended with {end.code!r}", 3) from None
    except BaseException as error:
        _print_traceback(path, error)
        raise CaptureError(f"{path} failed: {type(error).__name__}: {error}", 3) from None
