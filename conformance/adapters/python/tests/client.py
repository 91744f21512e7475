# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Plays the suite for tests: writes an adapter to a file, starts it, and sends it requests of the process protocol."""
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import textwrap
import unittest

PACKAGE = pathlib.Path(__file__).resolve().parent.parent / "deconv_backend"


class Client:
    """One backend process."""

    def __init__(self, command, environment=None):
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, process_group=0,
            env={**os.environ, **(environment or {})})
        self.next_id = 1

    def ask(self, request, *contents):
        """Sends one request. Returns the keys of the answer, with `output` if bytes follow it; None at the end."""
        request = {**request, "id": self.next_id}
        self.next_id += 1
        try:
            self.process.stdin.write(json.dumps(request).encode() + b"\n" + b"".join(contents))
            self.process.stdin.flush()
        except BrokenPipeError:
            return None
        line = self.process.stdout.readline()
        if not line:
            return None
        answer = json.loads(line)
        if answer.pop("id") != request["id"]:
            raise AssertionError(f"wrong id in {line}")
        if answer.get("answer") == "computed":
            answer["output"] = self.process.stdout.read(answer["output_bytes"])
        return answer

    def describe(self):
        return self.ask({"do": "describe", "protocol": 1})

    def end(self):
        """Closes the requests. Returns (exit status, what is left on standard output, standard error)."""
        left, errors = self.process.communicate(timeout=30)
        return self.process.returncode, left, errors.decode()


def resolved_request(data=(3,), kernel=(3,), strides=None, pads=None, output=(7,), batch=1, groups=1, inputs=1,
                     outputs=1, element_type="f32", channels_last=False, layout="giox", do="run"):
    """Returns a request with resolved geometry; the operator's dims have the given layouts. Without arguments, data of
    3 and a kernel of 3 with stride 2 give an output of 7. `do` is run or supports."""
    axes = len(data)
    data_dims = [batch, *data, inputs] if channels_last else [batch, inputs, *data]
    if layout == "xio":
        filter_dims = [*kernel, outputs // groups, inputs]
    else:
        filter_dims = [inputs, outputs // groups, *kernel]
    pads = list(pads or [0] * axes)
    output_bytes = math.prod([batch, outputs, *output]) * (2 if element_type == "bf16" else 4)
    return {
        "do": do, "output_bytes": output_bytes,
        "operator": {"kind": "ConvolutionBackwardData", "dialect": "onednn-spec",
                     "data": {"element_type": element_type, "dims": data_dims},
                     "filter": {"element_type": element_type, "dims": filter_dims}},
        "resolved": {"element_type": element_type, "channels_last": channels_last, "filter_layout": layout,
                     "batch": batch, "groups": groups, "in_channels": inputs, "out_channels": outputs,
                     "data": list(data), "kernel": list(kernel), "strides": list(strides or [2] * axes),
                     "dilations": [1] * axes, "pads_begin": pads, "pads_end": pads, "output_padding": [0] * axes,
                     "output": list(output)},
    }


class AdapterTest(unittest.TestCase):
    """A test with adapters that are given as text. The import of deconv_backend and NumPy is put before the text."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def write(self, text):
        path = os.path.join(self.folder.name, "adapter.py")
        with open(path, "w") as file:
            file.write("import deconv_backend, numpy\n" + textwrap.dedent(text))
        return path

    def start(self, text, *arguments, environment=None):
        """Starts an adapter. Returns its client, whose process is killed after the test."""
        command = [sys.executable, str(PACKAGE), self.write(text), *arguments]
        client = Client(command, environment)
        self.addCleanup(client.process.wait)
        self.addCleanup(client.process.kill)
        for stream in (client.process.stdin, client.process.stdout, client.process.stderr):
            self.addCleanup(stream.close)
        return client

    def run_once(self, text, request, *arrays):
        """Returns the answer of an adapter to one run request, with the arrays as data and filter."""
        client = self.start(text)
        client.describe()
        contents = [array.tobytes() for array in arrays]
        sizes = dict(zip(("data_bytes", "filter_bytes"), map(len, contents)))
        return client.ask({**request, **sizes}, *contents)
