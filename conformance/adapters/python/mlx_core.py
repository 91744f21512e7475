# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Makes MLX a backend (a library under test) of deconv-cts, the test suite for transposed convolutions.

    python3 -m deconv_backend mlx_core.py

The suite calls deconv() with sizes and pads that it has computed (class Geometry of deconv_backend/operators.py). Each
operator is a call of mlx.core.conv_transpose1d, conv_transpose2d or conv_transpose3d, on the CPU.

Choices of this adapter, not of MLX:
- MLX takes one padding for both ends of an axis, and an output_padding. The adapter passes padding = pads_begin and the
  output_padding that gives the output its size.
- MLX has channels last only. The adapter permutes data, filter and output.
"""
import importlib.metadata

import deconv_backend
import mlx.core as mx
import numpy

FUNCTIONS = {1: mx.conv_transpose1d, 2: mx.conv_transpose2d, 3: mx.conv_transpose3d}


def supports(geometry):
    if any(padding < 0 for padding in geometry.output_padding_beside_equal_pads()):
        return "MLX pads both ends equally: pads_end above pads_begin is not supported"
    if geometry.groups > 1 and geometry.spatial_rank == 3:
        return "MLX has groups in one and two axes alone"
    return None


def number_or_tuple(values):
    """Returns an argument as MLX wants it: a number for one spatial axis, a tuple for several."""
    return values if len(values) > 1 else values[0]


def deconv(data, filter, geometry):
    groups, inputs, outputs = filter.shape[:3]
    x = mx.array(numpy.ascontiguousarray(numpy.moveaxis(data, 1, -1)))
    weights = numpy.ascontiguousarray(numpy.moveaxis(filter, 1, -1))
    w = mx.array(weights.reshape([groups * outputs, *geometry.kernel, inputs]))
    y = FUNCTIONS[geometry.spatial_rank](
        x, w, stride=number_or_tuple(geometry.strides), padding=number_or_tuple(geometry.pads_begin),
        dilation=number_or_tuple(geometry.dilations),
        output_padding=number_or_tuple(geometry.output_padding_beside_equal_pads()), groups=groups)
    return numpy.moveaxis(numpy.array(y), -1, 1)


if __name__ == "__main__":
    mx.set_default_device(mx.cpu)
    deconv_backend.serve(
        deconv, supports=supports, name="mlx-cpu", version=importlib.metadata.version("mlx"), types=["f32", "f16"],
        max_attribute=2**31 - 1, unsupported=["empty-tensors", "negative-pads"])
