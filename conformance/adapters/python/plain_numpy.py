# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""An adapter to start from: it makes NumPy a backend (a library under test) of deconv-cts, the test suite for
transposed convolutions. The function computes one tap (element of the filter) at a time.

    deconv-cts run --backend cmd:"python3 conformance/adapters/python/deconv_backend \
        conformance/adapters/python/plain_numpy.py"

The suite calls deconv() with sizes and pads that it has computed (class Geometry of deconv_backend/operators.py).
"""
import itertools
import math

import deconv_backend
import numpy

MOST_TAPS = 1 << 14  # elements of the filter along its spatial axes; a guess at what ends in time


def supports(geometry):
    return "a step of Python for each tap: too slow" if math.prod(geometry.kernel) > MOST_TAPS else None


def deconv(data, filter, geometry):
    """Computes output[s*i + d*k - pads_begin] += data[i] * filter[k] along each axis, with stride s and dilation d.

    Data are [N, C, spatial...], the filter is [G, C/G, O/G, spatial...]. Returns the output [N, O, spatial...].
    """
    batch, groups = geometry.batch, geometry.groups
    inputs, outputs = geometry.in_channels // groups, geometry.out_channels // groups
    output = numpy.zeros([batch, groups, outputs, *geometry.output], data.dtype)
    grouped = data.reshape([batch, groups, inputs, *geometry.data])
    for tap in itertools.product(*map(range, geometry.kernel)):
        # The tap connects consecutive data with every stride-th output: these slices select both. Example of one axis:
        # for data 4, output 5, stride 2, pad 1 and tap 0, data 0 to 3 meet the outputs -1, 1, 3 and 5, of which 1 and 3
        # exist. So the slices are data[1:3] and output[1:5:2].
        output_slices, data_slices = [slice(None)] * 3, [slice(None)] * 3
        for k, size, out, s, d, pad in zip(tap, geometry.data, geometry.output, geometry.strides, geometry.dilations,
                                           geometry.pads_begin):
            # -(-a // s) is a / s rounded up.
            first = min(size, max(0, -(-(pad - d * k) // s)))              # the first i with s*i + d*k - pad >= 0
            end = max(first, min(size, -(-(out + pad - d * k) // s)))      # the first i with s*i + d*k - pad >= out
            begin = s * first + d * k - pad
            output_slices.append(slice(begin, begin + s * (end - first), s) if end > first else slice(0, 0))
            data_slices.append(slice(first, end))
        weights = filter[(slice(None), slice(None), slice(None), *tap)]
        # One input channel at a time, so that products and sums are rounded to the element type.
        for c in range(inputs):
            columns = weights[None, :, c, :].reshape([1, groups, outputs] + [1] * len(tap))
            output[tuple(output_slices)] += grouped[:, :, c][:, :, None][tuple(data_slices)] * columns
    return output.reshape([batch, geometry.out_channels, *geometry.output])


if __name__ == "__main__":
    deconv_backend.serve(
        deconv, supports=supports, name="plain-numpy", version=numpy.__version__,
        types=["f64", "f32", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"], max_rank=10, max_bytes=1 << 24)
