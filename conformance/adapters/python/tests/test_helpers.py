# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Tests of the helpers of the package deconv_backend: conversions of bf16, options, messages, and models of ONNX."""
import math
import unittest

import numpy

import deconv_backend
from deconv_backend import answers, options
from deconv_backend.operators import Operator, Tensor
from tests.client import AdapterTest


class Bf16(unittest.TestCase):
    def test_every_number_comes_back(self):
        bits = numpy.arange(65536, dtype=numpy.uint16)
        values = deconv_backend.bf16_to_f32(bits)
        again = deconv_backend.f32_to_bf16(values)
        numbers = ~numpy.isnan(values)
        self.assertTrue((again[numbers] == bits[numbers]).all())
        self.assertTrue(numpy.isnan(deconv_backend.bf16_to_f32(again[~numbers])).all())

    def test_rounding_is_to_the_nearest_and_ties_to_even(self):
        ulp = 2.0**-7  # the distance of neighbours of bf16 at 1; 3.4e38 rounds up to infinity
        for value, expected in ((1 + ulp * 0.49, 1.0), (1 + ulp * 0.5, 1.0), (1 + ulp * 0.51, 1 + ulp),
                                (1 + ulp * 1.5, 1 + ulp * 2), (3.4e38, math.inf), (-1 - ulp * 0.51, -1 - ulp)):
            rounded = deconv_backend.bf16_to_f32(deconv_backend.f32_to_bf16(numpy.float32([value])))[0]
            self.assertEqual(rounded, expected, value)


class TensorflowArguments(unittest.TestCase):
    @staticmethod
    def operator(**more):
        return Operator("ConvTranspose", "tensorflow", Tensor("f32", [1, 2, 3, 3]), Tensor("f32", [2, 4, 2, 2]), **more)

    def test_padding_is_a_word_or_pairs_of_pads_and_absent_attributes_have_defaults(self):
        for more, expected in (({"auto_pad": "SAME_UPPER", "strides": [2, 2]}, ("SAME", [2, 2])),
                               ({"auto_pad": "VALID"}, ("VALID", [1, 1])),
                               ({"pads_begin": [1, 0]}, ([[1, 0], [0, 0]], [1, 1])),
                               ({"auto_pad": "NOTSET"}, ([[0, 0], [0, 0]], [1, 1])),
                               ({"pads_begin": [1], "pads_end": [2]}, ([[1, 2]], [1, 1])),
                               ({"pads_begin": [], "pads_end": []}, ([], [1, 1]))):
            padding, strides, dilations, shape = self.operator(output_shape_attribute=[6, 5], **more).tensorflow_arguments()
            self.assertEqual((padding, strides, dilations, shape), (*expected, [1, 1], [1, 6, 5, 4]), more)

    def test_an_attribute_without_an_argument_of_tensorflow_is_unsupported(self):
        for more in ({}, {"output_shape_attribute": [6, 6], "output_padding": [1, 0]},
                     {"output_shape_attribute": [6, 6], "output_padding": [0, 0, 0]},
                     {"output_shape_attribute": [6, 6], "output_padding": []},
                     {"output_shape_attribute": [6, 6], "pads_begin": [], "pads_end": [1, 1]},
                     {"output_shape_attribute": [6, 6], "groups": 2},
                     {"output_shape_attribute": [6, 6], "strides": [2]},
                     {"output_shape_attribute": [6, 6], "output_shape": Tensor("i64", [2], [6, 6])},
                     {"output_shape_attribute": [6, 6], "auto_pad": "SAME_LOWER"},
                     {"output_shape_attribute": [6, 6], "auto_pad": "VALID", "pads_end": [0, 0]},
                     {"output_shape_attribute": [6, 6], "pads_begin": [0, 0], "pads_end": [0]}):
            with self.assertRaises(deconv_backend.Unsupported, msg=more):
                self.operator(**more).tensorflow_arguments()


class Options(AdapterTest):
    TEXT = """
        COLOUR = deconv_backend.option("colour", "red", ["red", "blue"])
        def deconv(data, filter, geometry): return data
        deconv_backend.serve(deconv, name=COLOUR, version="1", types=["f32"])
        """

    def test_options_are_told_from_other_arguments(self):
        self.assertEqual(options.parse(["a.py", "--option", "x=1", "--option=y=a=b"]), ({"x": "1", "y": "a=b"}, ["a.py"]))
        for wrong in (["--option"], ["--option", "x"], ["--option", "=1"]):
            with self.assertRaises(options.UsageError):
                options.parse(wrong)

    def test_an_adapter_reads_its_options(self):
        self.assertEqual(self.start(self.TEXT).describe()["name"], "red")
        self.assertEqual(self.start(self.TEXT, "--option", "colour=blue").describe()["name"], "blue")

    def test_wrong_options_are_named(self):
        for option, message in (("colour=green", "option colour=green: expected one of red, blue"),
                                ("color=blue", "unknown option 'color'; this adapter's options: colour (default red)")):
            client = self.start(self.TEXT, "--option", option)
            self.assertIsNone(client.describe())
            self.assertIn(message, client.end()[2])


class Messages(unittest.TestCase):
    def test_a_message_is_one_line_that_the_protocol_allows(self):
        message = answers.one_line("é\n" * 1000)
        self.assertNotIn("\n", message)
        self.assertLessEqual(len(message.encode()), 511)
        self.assertEqual(answers.one_line(""), "no message")

    def test_a_short_message_gets_its_exception(self):
        self.assertEqual(answers.message_of(KeyError("pad")), "KeyError: 'pad'")
        self.assertEqual(answers.message_of(ValueError()), "ValueError:")


class OnnxModel(unittest.TestCase):
    def test_a_small_model_has_the_bytes_that_onnx_proto_prescribes(self):
        operator = Operator("ConvTranspose", "onnx-11", Tensor("f32", [1, 1, 3]), Tensor("f32", [1, 1, 2]),
                            strides=[2], pads_begin=[1], pads_end=[0], auto_pad="NOTSET", groups=1)
        model = deconv_backend.conv_transpose_model(operator, numpy.float32([[[1, 2]]]))
        self.assertEqual(model[:2], b"\x08\x08")              # ir_version 8
        self.assertEqual(model[-4:], b"\x42\x02\x10\x0b")     # opset_import {version 11}
        for part in (b"\x0a\x07strides\x40\x02\xa0\x01\x07",  # name, ints, type INTS
                     b"\x0a\x04pads\x40\x01\x40\x00\xa0\x01\x07",
                     b"\x0a\x08auto_pad\x22\x06NOTSET\xa0\x01\x03",
                     b"\x0a\x05group\x18\x01\xa0\x01\x02",
                     b"\x08\x01\x08\x01\x08\x02\x10\x01\x42\x01W\x4a\x08" + numpy.float32([1, 2]).tobytes()):
            self.assertIn(part, model)

    def test_onnx_reads_it(self):
        try:
            import onnx
        except ImportError:
            self.skipTest("the package onnx is not installed")
        operator = Operator("ConvTranspose", "onnx-11", Tensor("f32", [1, 1, 3]), Tensor("f32", [1, 1, 2]),
                            strides=[2**62], pads_begin=[-1], pads_end=[0])
        model = onnx.load_from_string(deconv_backend.conv_transpose_model(operator))
        node = model.graph.node[0]
        self.assertEqual({attribute.name: list(attribute.ints) for attribute in node.attribute},
                         {"strides": [2**62], "pads": [-1, 0]})
        self.assertEqual([value.name for value in model.graph.input], ["X", "W"])


if __name__ == "__main__":
    unittest.main()
