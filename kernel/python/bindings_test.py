# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Tests the Python bindings of the kernel: compares outputs with a loop over the taps of the filter, and checks the
messages of wrong arguments. DECONV_LIBRARY names the library.

    DECONV_LIBRARY=build/release/lib/libdeconv.so python3 kernel/python/bindings_test.py
"""
import concurrent.futures
import itertools
import pathlib
import sys
import unittest

import numpy

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import deconv  # noqa: E402
from deconv import _plan  # noqa: E402


def expected(data, filter, strides, pads_begin, pads_end, dilations, groups=1, output_padding=(0, 0)):
    """Returns the expected output by the formula out[s*i + d*k - pads_begin] += data[i] * filter[k], in two dimensions.
    All data elements are multiplied by one tap at once; their outputs lie `strides` apart. The pads crop at the end."""
    taps = filter.shape[2:]
    uncropped = [s * (x - 1) + d * (k - 1) + 1 for s, x, d, k in zip(strides, data.shape[2:], dilations, taps)]
    in_channels, out_channels = data.shape[1] // groups, filter.shape[1]  # of a group
    output = numpy.zeros([data.shape[0], out_channels * groups, *map(sum, zip(uncropped, output_padding))], data.dtype)
    for group, k0, k1 in itertools.product(range(groups), range(taps[0]), range(taps[1])):
        part = numpy.einsum("nchw,co->nohw", data[:, group * in_channels:(group + 1) * in_channels],
                            filter[group * in_channels:(group + 1) * in_channels, :, k0, k1])
        rows = slice(dilations[0] * k0, dilations[0] * k0 + strides[0] * (data.shape[2] - 1) + 1, strides[0])
        columns = slice(dilations[1] * k1, dilations[1] * k1 + strides[1] * (data.shape[3] - 1) + 1, strides[1])
        output[:, group * out_channels:(group + 1) * out_channels, rows, columns] += part
    return output[:, :, pads_begin[0]:output.shape[2] - pads_end[0], pads_begin[1]:output.shape[3] - pads_end[1]]


def arrays(dtype, data=(2, 6, 5, 4), filter=(6, 3, 3, 2)):
    """Returns data and filter of these shapes. Their integers from 0 to 4 are so small that all sums are exact."""
    draw = numpy.random.default_rng(1)
    return [draw.integers(0, 5, size).astype(dtype) for size in (data, filter)]


class Values(unittest.TestCase):
    def test_every_type_has_the_values_of_the_loop(self):
        given = dict(strides=(2, 3), pads_begin=(1, 0), pads_end=(0, 1), dilations=(1, 2), output_padding=(1, 0))
        for dtype in "float64 float32 float16 int8 int16 int32 int64 uint8 uint16 uint32 uint64".split():
            for groups in (1, 3):
                with self.subTest(dtype=dtype, groups=groups):
                    data, filter = arrays(dtype)
                    output = deconv.conv_transpose(data, filter, groups=groups, **given)
                    numpy.testing.assert_array_equal(output, expected(data, filter, groups=groups, **given))
                    self.assertEqual(output.dtype, data.dtype)

    def test_channels_last_threads_and_out_change_no_value(self):
        data, filter = arrays("float32")
        plain = deconv.conv_transpose(data, filter, strides=2)
        last = deconv.conv_transpose(numpy.ascontiguousarray(data.transpose(0, 2, 3, 1)), filter, strides=2, layout="nxc")
        numpy.testing.assert_array_equal(last.transpose(0, 3, 1, 2), plain)
        out = numpy.full(plain.shape, numpy.nan, numpy.float32)
        self.assertIs(deconv.conv_transpose(data, filter, strides=2, threads=3, out=out), out)
        numpy.testing.assert_array_equal(out, plain)

    def test_output_shape_and_auto_pad_are_resolved(self):
        data, filter = arrays("float32")
        output = deconv.conv_transpose(data, filter, strides=2, auto_pad="same_upper", output_shape=(10, 8))
        self.assertEqual(output.shape, (2, 3, 10, 8))

    def test_layers_agree_in_many_threads(self):
        data, filter = arrays("float32", (1, 16, 9, 9), (16, 16, 3, 3))
        layer = deconv.ConvTranspose(filter, strides=2)
        first = layer(data)
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            for output in pool.map(lambda _: layer(data, threads=2), range(40)):
                numpy.testing.assert_array_equal(output, first)
        numpy.testing.assert_array_equal(first, deconv.conv_transpose(data, filter, strides=2))

    def test_equal_operators_share_a_plan(self):
        data, filter = arrays("float32")
        deconv.conv_transpose(data, filter, strides=3)
        misses = _plan.plan_of.cache_info().misses
        deconv.conv_transpose(data, filter, strides=(3, 3))
        self.assertEqual(_plan.plan_of.cache_info().misses, misses)

    def test_an_empty_batch_is_computed(self):
        data, filter = arrays("float32", data=(0, 6, 5, 4))
        self.assertEqual(deconv.conv_transpose(data, filter).shape, (0, 3, 7, 5))

    def test_the_library_tests_itself(self):
        deconv.selftest()
        self.assertTrue(deconv.targets())
        self.assertRegex(deconv.__version__, r"^\d+\.\d+\.\d+$")


class Messages(unittest.TestCase):
    def refused(self, error, words, *arguments, **named):
        """Expects that conv_transpose raises `error` with `words` in its message. Other arguments have right values."""
        data, filter = arrays("float32")
        with self.assertRaises(error) as raised:
            deconv.conv_transpose(*(arguments or (data, filter)), **named)
        self.assertIn(words, str(raised.exception))

    def test_each_wrong_argument_is_named(self):
        data, filter = arrays("float32")
        self.refused(TypeError, "data is list", [1], filter)
        self.refused(TypeError, "filter has elements of complex64", data, filter.astype("complex64"))
        self.refused(TypeError, "data has elements of float32 and filter of float64", data, filter.astype("float64"))
        self.refused(TypeError, "data has elements of >f4", data.astype(">f4"), filter)
        self.refused(ValueError, "numpy.ascontiguousarray(data)", data[:, :, ::2], filter)
        self.refused(ValueError, "data has 3 axes and filter 4", data[0], filter)
        self.refused(ValueError, "data has 5 channels, expected the 6", numpy.ascontiguousarray(data[:, :5]), filter)
        self.refused(ValueError, "filter has 2 axes", data, filter[:, :, 0, 0].copy())
        self.refused(ValueError, "strides has 3 values, expected 2", strides=(1, 2, 3))
        self.refused(TypeError, "dilations is 1.5", dilations=1.5)
        self.refused(ValueError, "groups is 4, which does not divide", groups=4)
        self.refused(ValueError, "groups is 0", groups=0)
        self.refused(ValueError, "layout is 'nhwc'", layout="nhwc")
        self.refused(ValueError, "auto_pad is 'same'", auto_pad="same")
        self.refused(ValueError, "threads is 0", threads=0)
        self.refused(ValueError, "out is [1]", out=numpy.empty(1, "float32"))

    def test_the_kernel_names_what_it_refuses(self):
        self.refused(ValueError, "strides", strides=0)
        self.refused(ValueError, "pads_begin", pads_begin=-1)
        self.refused(ValueError, "no_such", algorithm="no_such")

    def test_out_must_not_overlap_data(self):
        data = numpy.ones((1, 1, 4, 4), numpy.float32)
        self.refused(ValueError, "out overlaps data", data, numpy.ones((1, 1, 1, 1), numpy.float32), out=data)


if __name__ == "__main__":
    unittest.main()
