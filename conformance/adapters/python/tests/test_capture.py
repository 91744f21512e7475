# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Tests what deconv_capture does without a runtime: hashes, inputs, folders, and that a wrong output is judged wrong."""
import contextlib
import io
import os
import pathlib
import random
import subprocess
import tempfile
import types
import unittest
from unittest import mock

import numpy

from deconv_capture import fnv, inputs, model_kind
from deconv_capture import __main__ as command
from deconv_capture.recorder import CaptureError, Layer, Recorder, encoded

PROGRAM = os.environ.get("DECONV_CTS")


def judged(folder):
    """Returns the exit code and the text of judge-recorded, from another folder than the values'."""
    done = subprocess.run([PROGRAM, "judge-recorded", os.path.join(folder, "cases.txt")], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def upsampled(data, weights, stride):
    """A plain transposed convolution of one axis, one channel."""
    output = numpy.zeros((data.size - 1) * stride + weights.size, data.dtype)
    for i, value in enumerate(data):
        output[i * stride:i * stride + weights.size] += value * weights
    return output


def layer(name="up", wrong=0, **others):
    """Returns a layer with stride 2, whose output 3 is too large by `wrong`."""
    data, weights = numpy.float32([1, 2, 3]), numpy.float32([1, 10, 100])
    output = upsampled(data, weights, 2)
    output[3] += wrong
    return Layer(name, "ConvTranspose", data.reshape(1, 1, 3), weights.reshape(1, 1, 3), output.reshape(1, 1, 7),
                 {"strides": [2]}, **others)


class Folders(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name) / "captured"

    def recorder(self, **options):
        return Recorder(self.folder, quiet=True, **options)

    @unittest.skipUnless(PROGRAM, "DECONV_CTS does not name the program")
    def test_a_right_output_passes_and_a_wrong_one_fails(self):
        self.recorder().record(layer())
        self.assertEqual(judged(self.folder)[0], 0)
        self.recorder().record(layer(wrong=1))
        code, text = judged(self.folder)
        self.assertEqual(code, 1)
        self.assertIn("expected 20, got 21", text)

    @unittest.skipUnless(PROGRAM, "DECONV_CTS does not name the program")
    def test_names_and_types_of_all_kinds_are_read_back(self):
        recorder = self.recorder()
        recorder.record(layer("a b/ü#:\n" * 40, notes=["then # Relu"]))
        half = layer("half")
        half.data, half.filter, half.output = (array.astype("f2") for array in (half.data, half.filter, half.output))
        recorder.record(half)
        code, text = judged(self.folder)
        self.assertEqual(code, 0, text)
        self.assertIn("2 passed", text)

    def test_a_new_capture_replaces_an_old_one_and_nothing_else(self):
        self.recorder().record(layer("old"))
        self.recorder().record(layer("new"))
        self.assertEqual({path.name.split("-")[1] for path in (self.folder / "values").iterdir()}, {"new"})
        (self.folder / "cases.txt").write_text("ConvTranspose:data=1,1,3:filter=1,1,3\n")
        with self.assertRaisesRegex(CaptureError, "is not a list of deconv-capture"):
            self.recorder()

    def test_what_has_no_case_is_named(self):
        recorder = self.recorder()
        mixed = layer("mixed")
        mixed.filter = mixed.filter.astype("i1")
        recorder.record(mixed)
        self.assertEqual(recorder.skipped, [("mixed", "data of type float32 and filter of type int8 have no case")])
        self.assertEqual(recorder.finish(), 5)

    def test_a_bias_is_a_file_beside_the_case(self):
        self.recorder().record(layer(bias=numpy.float32([7])))
        line = (self.folder / "cases.txt").read_text().splitlines()[-1]
        path = line.split("its bias is in ")[1].split(";")[0]
        self.assertEqual(numpy.load(self.folder / path).tolist(), [7])

    def test_calls_with_the_same_sizes_are_counted(self):
        recorder = self.recorder(calls=2)
        wanted = [recorder.wants("up", "ConvTranspose", (1, 1, size), (1, 1, 3), {}) for size in (3, 3, 3, 4)]
        self.assertEqual(wanted, [True, True, False, True])

    def test_a_text_of_a_line_is_encoded(self):
        self.assertEqual(encoded("values/a b:c.npy"), "values/a%20b%3ac.npy")


class Hash(unittest.TestCase):
    def test_it_is_fnv_1a_of_any_length(self):
        for size in (0, 1, 7, 255, fnv.BLOCK - 1, fnv.BLOCK, 2 * fnv.BLOCK + 3):
            content = random.Random(size).randbytes(size)
            expected = fnv.START
            for byte in content:
                expected = (expected ^ byte) * fnv.PRIME & fnv.MASK
            self.assertEqual(fnv.fnv1a([content]), expected, size)


class Inputs(unittest.TestCase):
    WANTED = {"x": (["n", 3, None], "float32"), "ids": ([1, 4], "int64")}

    def test_open_sizes_are_named_with_what_to_give(self):
        with self.assertRaisesRegex(CaptureError, r"open inputs: x \[n,3,\?\]: give --input x=1,3,SIZE"):
            inputs.fill(self.WANTED, {})

    def test_sizes_values_and_arrays_are_taken(self):
        arrays = inputs.fill(self.WANTED, inputs.parse(["x=2,3,5", "ids=[[1, 2, 3, 4]]"]))
        self.assertEqual((arrays["x"].shape, arrays["x"].dtype), ((2, 3, 5), numpy.float32))
        self.assertEqual(arrays["ids"].tolist(), [[1, 2, 3, 4]])
        self.assertEqual(inputs.fill(self.WANTED, inputs.parse(["x=1,3,5"]))["x"].tolist(),
                         inputs.fill(self.WANTED, inputs.parse(["x=1,3,5"]))["x"].tolist())

    def test_wrong_inputs_are_named(self):
        for text, message in (("y=1,3,5", "the model has no such input.* its inputs are x"),
                              ("x=1,4,5", r"found the shape \[1,4,5\], the model has \[n,3,\?\]"),
                              ("x=1,3", r"found the shape \[1,3\]"), ("x", "expected NAME="), ("x=1,-3,2", "below 0"),
                              ("x=[1", "Expecting"), ("x=none.npy", "No such file")):
            with self.subTest(text), self.assertRaisesRegex(CaptureError, message):
                inputs.fill(self.WANTED, inputs.parse([text]))

    def test_sizes_beyond_the_memory_are_refused(self):
        with self.assertRaisesRegex(CaptureError, r"input x \[1,4,1099511627776\]: 3.52e\+04 GB needed, this machine"):
            inputs.fill({"x": ([1, 4, 1 << 40], "float32")}, {})

    def test_the_memory_of_all_inputs_and_of_their_conversions_is_counted(self):
        array = numpy.zeros(10, "float64")
        # Ten numbers of float16 have 20 bytes, and are drawn as float32: 40 more. Integers are drawn as int64, and
        # arrays are converted if their type differs.
        for wanted, given, needed in (({"x": ([10], "float16")}, {}, 60), ({"x": ([10], "float32")}, {}, 80),
                                      ({"x": ([10], "float64")}, {}, 120), ({"x": ([10], "int8")}, {}, 90),
                                      ({"x": ([10], "int64")}, {}, 160), ({"x": ([10], "bool")}, {}, 10),
                                      ({"x": ([10], "float64")}, {"x": array}, 80),
                                      ({"x": ([10], "float32")}, {"x": array}, 120),
                                      ({"x": ([10], "float32"), "y": ([5], "int64")}, {}, 160)):
            memory = {"SC_PAGE_SIZE": 1, "SC_PHYS_PAGES": needed}
            with self.subTest(wanted, given=given), mock.patch.object(os, "sysconf", memory.get):
                self.assertEqual(list(inputs.fill(wanted, given)), list(wanted))
                memory["SC_PHYS_PAGES"] = needed - 1
                with self.assertRaisesRegex(CaptureError, r"^input x \[10\](, the largest of 2 inputs)?: .* GB needed"):
                    inputs.fill(wanted, given)


class Command(unittest.TestCase):
    def run_on(self, name, content, *arguments):
        """Returns the exit code for a file with this content."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, name)
            pathlib.Path(path).write_bytes(content)
            done = subprocess.run([os.sys.executable, os.path.dirname(command.__file__), path, *arguments, "--out",
                                   os.path.join(folder, "captured")], capture_output=True, text=True)
        return done.returncode, done.stderr

    def test_files_that_are_no_model_end_with_a_sentence(self):
        for name, content in (("empty.onnx", b""), ("noise.bin", b"\xff" * 80), ("net.param", b"7767517\n3 3\n"),
                              ("net.h5.bin", b"\x89HDF\r\n\x1a\n"), ("lfs.pt", b"version https://git-lfs.github.com/spec/v1"),
                              ("cut.keras", b"PK\x03\x04" + b"\0" * 80),
                              ("cut.tflite", b"\x1c\0\0\0TFL3" + b"\x7f" * 80)):
            code, text = self.run_on(name, content)
            self.assertEqual((code, text.count("\n")), (2, 1), text)  # one line

    def unforeseen(self, error, **variables):
        """Has a reader fail by an error that is raised below inputs.draw. Returns the sentence for it, and what is
        printed before the sentence."""
        class Values:
            def standard_normal(self, *arguments):
                raise error

        class Reader:
            @staticmethod
            def capture(model, recorder, given, seed):
                inputs.draw(Values(), [1], "float32")
        printed, options = io.StringIO(), types.SimpleNamespace(model="net.onnx", seed=0)
        with (mock.patch.dict(os.environ, variables), contextlib.redirect_stderr(printed),
              self.assertRaises(CaptureError) as caught):
            if not variables:
                os.environ.pop("DECONV_CAPTURE_TRACEBACK", None)
            command._capture_model(Reader, options, None, {})
        return str(caught.exception), printed.getvalue()

    def test_an_error_that_no_reader_foresees_is_one_sentence_with_a_line_of_this_package(self):
        for error, text in ((IndexError("list index\nout of range"), "IndexError: list index out of range"),
                            (AssertionError(), "AssertionError: no message"), (ValueError(" "), "ValueError: no message")):
            said, printed = self.unforeseen(error)
            self.assertRegex(said, rf"^net.onnx: {text} \(inputs.py:\d+\)$")
            self.assertEqual(printed, "")
        self.assertRegex(self.unforeseen(ValueError("long " * 900))[0], r"\(inputs.py:\d+\)$")

    def test_an_environment_variable_shows_the_traceback_of_such_an_error(self):
        said, printed = self.unforeseen(IndexError("planted"), DECONV_CAPTURE_TRACEBACK="1")
        self.assertRegex(said, r"^net.onnx: IndexError: planted \(inputs.py:\d+\)$")
        for words in ("Traceback (most recent call last)", "in standard_normal", "IndexError: planted"):
            self.assertIn(words, printed)

    def test_a_script_that_fails_keeps_its_message_and_its_arguments(self):
        code, text = self.run_on("script.py", b"import sys\nraise ValueError(sys.argv[1:])")
        self.assertEqual(code, 3)
        self.assertIn("script.py failed: ValueError: ['--out'", text)
        self.assertNotIn("runpy", text)  # the traceback begins in the script
        code, text = self.run_on("script.py", b"def f(:")
        self.assertEqual(code, 3)
        self.assertNotIn("Traceback", text)

    def test_a_script_without_layers_captures_nothing(self):
        self.assertEqual(self.run_on("script.py", b"pass")[0], 5)

    def test_the_format_is_known_by_its_content(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, content, runtime in (("a", b"\x08\x08", "onnxruntime"), ("b.onnx", b"    TFL3", "litert"),
                                           ("c", b'<?xml version="1.0"?><net', "openvino"), ("d.py", b"#", "script")):
                path = pathlib.Path(folder) / name
                path.write_bytes(content)
                self.assertEqual(model_kind.runtime_of(str(path)), runtime)

    def test_a_file_in_the_place_of_a_model_is_named_under_any_suffix(self):
        with tempfile.TemporaryDirectory() as folder:
            for suffix in ("keras", "h5", "pdmodel", "pdiparams", "onnx", "pt", "py", "bin"):
                for content, message in ((b"version https://git-lfs.github.com/spec/v1\n", "is a pointer of Git LFS"),
                                         (b"\n <!DOCTYPE HTML>\n", "is a web page"), (b"<Html>", "is a web page")):
                    path = pathlib.Path(folder) / f"net.{suffix}"
                    path.write_bytes(content)
                    with self.subTest(path.name, content=content), self.assertRaisesRegex(CaptureError, message):
                        model_kind.runtime_of(str(path))
