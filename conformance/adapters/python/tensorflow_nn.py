# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""TensorFlow: tf.nn.conv1d_transpose, conv2d_transpose and conv3d_transpose, on the CPU.

    python3 -m deconv_backend tensorflow_nn.py [--option jit=on]

With jit=on XLA compiles each call (jit_compile). Choices of this adapter, not of TensorFlow:
- The padding is "VALID" or "SAME" if TensorFlow's rule for it gives the geometry's output and pads_begin. Otherwise
  conv2d_transpose gets explicit pads: pads_begin, and the least pads at the end that are not negative.
- TensorFlow has channels last only on CPUs. The adapter permutes data, filter and output.
- TensorFlow's threads flush subnormal numbers. Eager kernels add f16 in f16, and explicit pads of bf16 in bf16. XLA
  multiplies the zeros between the data. The adapter declares all of this.
"""
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")

import deconv_backend  # noqa: E402
import numpy  # noqa: E402
import tensorflow as tf  # noqa: E402

JIT = deconv_backend.option("jit", "off", ["on", "off"]) == "on"
FUNCTIONS = {1: tf.nn.conv1d_transpose, 2: tf.nn.conv2d_transpose, 3: tf.nn.conv3d_transpose}
FORMATS = {1: "NWC", 2: "NHWC", 3: "NDHWC"}


def padding_of(geometry):
    """Returns the argument `padding` of TensorFlow, or None."""
    if word := geometry.padding_word():
        return word
    ends = [end - more for end, more in zip(geometry.pads_end, geometry.output_padding)]
    if geometry.spatial_rank != 2 or any(-end >= stride for end, stride in zip(ends, geometry.strides)):
        return None
    return [[0, 0], *([begin, max(end, 0)] for begin, end in zip(geometry.pads_begin, ends)), [0, 0]]


def supports(geometry):
    dilated = max(geometry.dilations) > 1
    padding = padding_of(geometry)
    if geometry.element_type == "i32" and geometry.spatial_rank == 3:
        return "conv3d_transpose has no int32"
    if not JIT and dilated and geometry.element_type not in ("f32", "bf16"):
        return "TensorFlow's CPU kernels have dilations in f32 and bf16 alone"
    if padding is None:
        return "the pads are neither those of VALID nor of SAME, nor explicit ones"
    if not JIT and dilated and not isinstance(padding, str):
        return "TensorFlow's CPU kernel for explicit pads has no dilations"
    return None


def deconv(data, filter, geometry):
    rank = geometry.spatial_rank
    values = tf.constant(numpy.ascontiguousarray(numpy.moveaxis(data, 1, -1)))
    weights = tf.constant(numpy.ascontiguousarray(numpy.transpose(filter[0], [*range(2, rank + 2), 1, 0])))
    shape = [geometry.batch, *geometry.output, geometry.out_channels]

    def call(x, w):
        return FUNCTIONS[rank](x, w, shape, geometry.strides, padding_of(geometry), FORMATS[rank], geometry.dilations)

    output = (tf.function(call, jit_compile=True) if JIT else call)(values, weights).numpy()
    return numpy.moveaxis(output, -1, 1)


if __name__ == "__main__":
    if JIT:
        arithmetic = {"known_deviations": ["structural-nan"]}
    else:
        arithmetic = {"arithmetic": [{"element_type": name, "accumulator": "storage", "subnormals": "flushed"}
                                     for name in ("f16", "bf16")]}
    deconv_backend.serve(
        deconv, supports=supports, name="tensorflow" + ("-xla" if JIT else ""), version=tf.__version__,
        types=["f32", "f64", "f16", "bf16", "i32"], bf16="ml_dtypes", unsupported=["groups", "negative-pads"],
        max_attribute=2**31 - 1, refuses=[tf.errors.InvalidArgumentError], subnormals="flushed", **arithmetic)
