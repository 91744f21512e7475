# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""An adapter to start from: NumPy as the library. The function computes one tap of the filter at a time.

    deconv-cts run --backend cmd:"python3 conformance/adapters/python/deconv_backend \
        conformance/adapters/python/plain_numpy.py"
"""
import itertools
import math

import deconv_backend
import numpy

MOST_TAPS = 1 << 14  # a guess


def supports(geometry):
    return "a step of Python for each tap: too slow" if math.prod(geometry.kernel) > MOST_TAPS else None


def deconv(data, filter, geometry):
    """out[s*i + d*k - pads_begin] += data[i] * filter[k], on [N, C, ...], [G, C/G, O/G, ...] and [N, O, ...]."""
    batch, groups = geometry.batch, geometry.groups
    inputs, outputs = geometry.in_channels // groups, geometry.out_channels // groups
    output = numpy.zeros([batch, groups, outputs, *geometry.output], data.dtype)
    grouped = data.reshape([batch, groups, inputs, *geometry.data])
    for tap in itertools.product(*map(range, geometry.kernel)):
        into, of = [slice(None)] * 3, [slice(None)] * 3  # the slices of output and data that meet at this tap
        for k, size, out, s, d, pad in zip(tap, geometry.data, geometry.output, geometry.strides, geometry.dilations,
                                           geometry.pads_begin):
            # -(-a // s) is a / s rounded up.
            first = max(0, -(-(pad - d * k) // s))                # the first i with s*i + d*k - pad >= 0
            last = min(size, -(-(out + pad - d * k) // s))        # the first i after the end of the output
            first = min(first, size)
            last = max(first, last)
            begin = s * first + d * k - pad
            into.append(slice(begin, begin + s * (last - first), s) if last > first else slice(0, 0))
            of.append(slice(first, last))
        weights = filter[(slice(None), slice(None), slice(None), *tap)]
        # One input channel at a time, so that products and sums are rounded to the element type.
        for c in range(inputs):
            columns = weights[None, :, c, :].reshape([1, groups, outputs] + [1] * len(tap))
            output[tuple(into)] += grouped[:, :, c][:, :, None][tuple(of)] * columns
    return output.reshape([batch, geometry.out_channels, *geometry.output])


if __name__ == "__main__":
    deconv_backend.serve(
        deconv, supports=supports, name="plain-numpy", version=numpy.__version__,
        types=["f64", "f32", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"], max_rank=10, max_bytes=1 << 24)
