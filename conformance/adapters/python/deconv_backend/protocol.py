# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""The process protocol: reads requests from standard input, and writes answers to standard output
(conformance/interface/process_protocol.md).

Libraries may print to standard output. `protect` therefore moves the two streams to descriptors that no library knows,
and makes descriptor 1 a copy of standard error.
"""
import json
import os
import sys


class Streams:
    """The two streams of the protocol. Each request and answer is a line of JSON, with the bytes of tensors behind
    it."""

    def __init__(self, requests, answers):
        self._requests, self._answers = requests, answers

    def requests(self):
        """Yields each request with the bytes of data and filter."""
        for line in iter(self._requests.readline, b""):
            request = json.loads(line)
            yield request, self._take(request.get("data_bytes", 0)), self._take(request.get("filter_bytes", 0))

    def _take(self, count):
        """Returns the next `count` bytes. NumPy can write to an array on a bytearray."""
        content = bytearray(count)
        view, at = memoryview(content), 0
        while at < count:
            size = self._requests.readinto(view[at:])
            if not size:
                raise EOFError(f"standard input ended {count - at} bytes early")
            at += size
        return content

    def answer(self, request, keys, output=None):
        """Sends the keys of the answer to a request, and the bytes of the output if there is one."""
        header = {"id": request["id"], **keys}
        if output is not None:
            header["output_bytes"] = len(output)
        self._answers.write(json.dumps(header).encode() + b"\n")
        if output is not None:
            self._answers.write(output)
        self._answers.flush()


_streams = None


def protect():
    """Takes standard input and output for the protocol. Later calls return the same streams."""
    global _streams
    if _streams is None:
        requests, answers = os.dup(0), os.dup(1)  # not inherited by programs that a library starts
        os.dup2(2, 1)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        sys.stdout = sys.stderr
        _streams = Streams(os.fdopen(requests, "rb"), os.fdopen(answers, "wb"))
    return _streams


def forget():
    """For a forked process, whose descriptors 0 and 1 are a new pair of streams: makes protect() take them."""
    global _streams
    _streams = None
