# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Writes captured layers into a folder: cases.txt has a case line for each, values/ has their tensors as .npy files.

Each file is written under another name and then renamed, so no reader sees a part of it. cases.txt is written anew
after each layer, so a model that fails late leaves the layers before the failure.
"""
import dataclasses
import hashlib
import os
import pathlib
import re
import string
import sys
import time

import numpy

from deconv_capture.fnv import BLOCK, fnv1a

HEADER = "# Captured by deconv-capture from "
_TYPES = {"float64": "f64", "float32": "f32", "float16": "f16", "bfloat16": "bf16", "int8": "i8", "int16": "i16",
          "int32": "i32", "int64": "i64", "uint8": "u8", "uint16": "u16", "uint32": "u32", "uint64": "u64"}
_PLAIN = set(string.ascii_letters + string.digits + "._/-+")  # characters that a case line holds as they are


class CaptureError(Exception):
    """Ends the capture with a sentence. `exit_code` is 2 for wrong usage or input, 3 for a runtime that fails."""

    def __init__(self, message, exit_code=2):
        super().__init__(message)
        self.exit_code = exit_code


@dataclasses.dataclass
class Layer:
    """One call of a transposed convolution. `kind` is the operator of its case line, such as ConvTranspose.
    `attributes` are fields of the line; a value is a list, number or text.

    `output` is the runtime's output without bias and activation. `notes` name the operations that followed.
    """
    name: str
    kind: str
    data: numpy.ndarray
    filter: numpy.ndarray
    output: numpy.ndarray
    attributes: dict
    bias: numpy.ndarray = None
    element_type: str = None  # set if the dtype does not tell it: bf16 as uint16
    notes: list = dataclasses.field(default_factory=list)


def program_line(frame, is_library):
    """Returns the file and line of the program that calls, or "conv_transpose" if there is none.

    `frame` is the innermost frame. `is_library` says of a file whether it belongs to the runtime.
    """
    own = os.path.dirname(os.path.abspath(__file__))
    while frame is not None:
        file = os.path.abspath(frame.f_code.co_filename)
        if not file.startswith(own) and not is_library(file) and os.path.exists(file):
            return f"{os.path.basename(file)}:{frame.f_lineno}"
        frame = frame.f_back
    return "conv_transpose"


def encoded(text):
    """Returns a text with % and two digits in place of each byte that a case line cannot hold."""
    return "".join(char if char in _PLAIN else "".join(f"%{byte:02x}" for byte in char.encode(errors="surrogateescape"))
                   for char in str(text))


def one_line(text, most=200):
    """Returns the text for a comment or a message: one line that does not move a terminal's cursor."""
    line = "".join(char if char.isprintable() else " " for char in " ".join(str(text).split()))
    return line if len(line) <= most else line[:most] + "..."


class Recorder:
    """The folder of one capture. `count` is the number of recorded layers, and `skipped` has (name, reason) of
    others."""

    def __init__(self, folder, calls=1, dialect=None, source="a program", quiet=False):
        """`calls` is how often a layer with the same name and sizes is recorded. `dialect` is a field of all case
        lines, if it is given, and `source` names the model in the head of cases.txt."""
        self.folder, self.calls, self.dialect, self.quiet = pathlib.Path(folder), calls, dialect, quiet
        self.source = source
        self.runtime = ""
        self.skipped = []
        self.count = 0
        self._lines, self._seen, self._files = [], {}, {}
        self._start, self._bytes = time.monotonic(), 0
        self._begun = False  # whether an older capture in the folder was removed
        list_file = self.folder / "cases.txt"
        if list_file.exists() and not list_file.read_text(errors="replace").startswith(HEADER):
            raise CaptureError(f"{list_file}: is not a list of deconv-capture; name another folder with --out")
        if self.folder.exists() and not self.folder.is_dir():
            raise CaptureError(f"{self.folder}: is not a folder")

    def wants(self, name, kind, data_dims, filter_dims, attributes):
        """Counts a call of a layer. Returns False if enough calls with this name, these sizes and attributes are
        recorded; the caller then need not copy the tensors."""
        key = (name, kind, tuple(data_dims), tuple(filter_dims), repr(sorted(attributes.items())))
        self._seen[key] = self._seen.get(key, 0) + 1
        return self._seen[key] <= self.calls

    def skip(self, name, reason):
        """Names a layer that was not recorded, once for each reason."""
        entry = (one_line(name), one_line(reason, 400))
        if entry in self.skipped:
            return
        self.skipped.append(entry)
        self._say(f"layer '{entry[0]}' skipped: {entry[1]}")
        if self._begun:
            self._write_list()

    def record(self, layer):
        """Writes the tensors of a layer and adds its case line to cases.txt."""
        element_type = layer.element_type or _TYPES.get(layer.data.dtype.name)
        if element_type is None or (layer.element_type is None and layer.filter.dtype != layer.data.dtype):
            self.skip(layer.name, f"data of type {layer.data.dtype} and filter of type {layer.filter.dtype} have no case")
            return
        try:
            self._begin()
            comment = self._comment(layer)
            line = self._line(layer, element_type)
            self._lines.append((line, comment))
            self.count += 1
            self._write_list()
        except OSError as error:
            raise CaptureError(f"{error.filename or self.folder}: cannot be written: {error.strerror}") from None
        self._say(f"layer {self.count}, '{one_line(layer.name, 60)}': {list(layer.data.shape)} -> "
                  f"{list(layer.output.shape)}, {self._bytes / 1e6:.1f} MB, {time.monotonic() - self._start:.1f} s")

    def _begin(self):
        """Removes the values of an older capture in the same folder, before the first new ones."""
        if self._begun:
            return
        values = self.folder / "values"
        values.mkdir(parents=True, exist_ok=True)
        for old in values.glob("*.npy"):
            old.unlink()
        self._begun = True

    def _line(self, layer, element_type):
        """Writes the tensors and returns the case line: ConvTranspose:data=1,1,3:filter=1,1,3:strides=2:..."""
        fields = [layer.kind, "data=" + _text(layer.data.shape), "filter=" + _text(layer.filter.shape)]
        if element_type != "f32":
            fields.append("type=" + element_type)
        fields += [f"{name}={_text(value)}" for name, value in layer.attributes.items() if value is not None]
        if self.dialect:
            fields.append("dialect=" + self.dialect)
        for field, role, array in (("data_values", "data", layer.data), ("filter_values", "filter", layer.filter),
                                   ("recorded", "output", layer.output)):
            fields.append(f"{field}={self._place(layer.name, role, array)}")
        return ":".join(fields)

    def _comment(self, layer):
        """Returns the comment behind a case line. Writes the bias, which a case line does not have."""
        parts = [one_line(layer.name)]
        if layer.bias is not None:
            path = self._place(layer.name, "bias", layer.bias).split("@h")[0]
            parts.append(f"its bias is in {path}; the recorded output is without it")
        return "; ".join(parts + [one_line(note) for note in layer.notes])

    def _place(self, name, role, array):
        """Writes the array and returns PATH@hHASH. Equal arrays share a file."""
        array = numpy.asarray(array)
        if array.dtype.name == "bfloat16":
            array = array.view(numpy.uint16)
        array = numpy.ascontiguousarray(array).reshape(array.shape)
        key = (array.shape, array.dtype.str, hashlib.sha256(array).digest())
        if key not in self._files:
            safe = re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-.")[-60:] or "layer"
            path = self.folder / "values" / f"{self.count + 1:04d}-{safe}-{role}.npy"
            part = path.with_suffix(".part")
            with open(part, "wb") as file:
                numpy.save(file, array, allow_pickle=False)
            os.replace(part, path)
            self._bytes += path.stat().st_size
            self._files[key] = f"{encoded('values/' + path.name)}@h{_hash_of(path):016x}"
        return self._files[key]

    def _write_list(self):
        """Writes cases.txt with all case lines so far. Comments name the source, the skipped layers, and each case's
        layer."""
        lines = [HEADER + one_line(self.source) + (f" in {one_line(self.runtime)}" if self.runtime else "")]
        lines += [f"# layer '{name}' skipped: {reason}" for name, reason in self.skipped]
        lines += [f"{line}  # {comment}" for line, comment in self._lines]
        part = self.folder / "cases.txt.part"
        part.write_text("\n".join(lines) + "\n", encoding="utf-8", errors="replace")
        os.replace(part, self.folder / "cases.txt")

    def finish(self):
        """Prints the sum. Returns the exit code: 0, or 5 if nothing was recorded."""
        if not self._begun:
            (self.folder / "cases.txt").unlink(missing_ok=True)  # of an older capture
        repeated = sum(max(0, calls - self.calls) for calls in self._seen.values())
        if repeated:
            self._say(f"{repeated} more calls of these layers with the same sizes are not recorded; --calls N records more")
        total = self.count + len(self.skipped)
        self._say(f"{self.count} of {total} layers captured" +
                  (f": deconv-cts judge-recorded {self.folder / 'cases.txt'}" if self.count else ""))
        return 0 if self.count else 5

    def _say(self, text):
        if not self.quiet:
            print("deconv-capture: " + text, file=sys.stderr, flush=True)


def _text(value):
    """Returns a value as a case line has it: a text, a number, or numbers with commas."""
    if isinstance(value, str):
        return encoded(value)
    if isinstance(value, (int, numpy.integer)):
        return str(int(value))
    return ",".join(str(int(number)) for number in value)


def _hash_of(path):
    with open(path, "rb") as file:
        return fnv1a(iter(lambda: file.read(64 * BLOCK), b""))
