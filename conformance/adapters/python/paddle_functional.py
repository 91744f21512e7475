# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Makes PaddlePaddle a backend (a library under test) of deconv-cts, the test suite for transposed convolutions.

    python3 -m deconv_backend paddle_functional.py

The suite calls deconv() with sizes and pads that it has computed (class Geometry of deconv_backend/operators.py). Each
operator is a call of paddle.nn.functional.conv1d_transpose, conv2d_transpose or conv3d_transpose, on the CPU.

Choices of this adapter, not of Paddle:
- The padding is [pads_begin, pads_end] of each axis, and the output_padding is the geometry's.
- The filter is [C, O/G, spatial...]: the first two axes of the suite's filter are joined.
"""
import deconv_backend
import paddle
import paddle.nn.functional as functional

FUNCTIONS = {1: functional.conv1d_transpose, 2: functional.conv2d_transpose, 3: functional.conv3d_transpose}


def supports(geometry):
    if any(padding >= stride for padding, stride in zip(geometry.output_padding, geometry.strides) if padding > 0):
        return "Paddle's output_padding must be smaller than the stride"
    return None


def deconv(data, filter, geometry):
    padding = [pad for pair in zip(geometry.pads_begin, geometry.pads_end) for pad in pair]
    weights = filter.reshape([geometry.in_channels, filter.shape[2], *geometry.kernel])
    return FUNCTIONS[geometry.spatial_rank](
        paddle.to_tensor(data), paddle.to_tensor(weights), stride=list(geometry.strides), padding=padding,
        output_padding=list(geometry.output_padding), groups=geometry.groups,
        dilation=list(geometry.dilations)).numpy()


if __name__ == "__main__":
    paddle.set_device("cpu")
    deconv_backend.serve(
        deconv, supports=supports, name="paddle", version=paddle.__version__, types=["f32", "f64"],
        unsupported=["negative-pads"], max_attribute=2**31 - 1)
