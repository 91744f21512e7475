# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Records the transposed convolutions of a Python script. The script runs as usual; calls of PyTorch, TensorFlow and
PaddlePaddle are recorded from the import of the framework on."""
import contextlib
import importlib.abc
import importlib.util
import os
import runpy
import sys
import traceback

from deconv_capture.recorder import CaptureError


def _watch_torch(module, recorder, stack):
    from deconv_capture import pytorch_reader
    stack.enter_context(pytorch_reader.watching(module, recorder))


def _watch_tensorflow(module, recorder, stack):
    from deconv_capture import tensorflow_reader
    stack.enter_context(tensorflow_reader.watching(module, recorder))


def _watch_paddle(module, recorder, stack):
    from deconv_capture import paddle_reader
    stack.enter_context(paddle_reader.watching(module, recorder))


_WATCHERS = {"torch": _watch_torch, "tensorflow": _watch_tensorflow, "paddle": _watch_paddle}


class _AfterImport(importlib.abc.MetaPathFinder):
    """Calls a watcher as soon as a framework's module is loaded."""

    def __init__(self, recorder, stack):
        self.recorder, self.stack, self.busy = recorder, stack, set()

    def find_spec(self, name, path=None, target=None):
        if name not in _WATCHERS or name in self.busy:
            return None
        self.busy.add(name)
        try:
            spec = importlib.util.find_spec(name)
        finally:
            self.busy.discard(name)
        if spec is None or spec.loader is None:
            return None
        execute = spec.loader.exec_module

        def execute_and_watch(module):
            execute(module)
            _WATCHERS[name](module, self.recorder, self.stack)

        spec.loader.exec_module = execute_and_watch
        return spec


@contextlib.contextmanager
def watching(recorder):
    with contextlib.ExitStack() as stack:
        for name, watch in _WATCHERS.items():
            if name in sys.modules:
                watch(sys.modules[name], recorder, stack)
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
