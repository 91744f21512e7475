# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Makes TensorFlow a backend (a library under test) of deconv-cts, the test suite for transposed convolutions.

    python3 -m deconv_backend tensorflow_nn.py [--option jit=on] [--option geometry=own]

The suite calls deconv() with sizes and pads that it has computed (class Geometry of deconv_backend/operators.py). Each
operator is a call of tf.nn.conv1d_transpose, conv2d_transpose or conv3d_transpose, on the CPU. With jit=on XLA compiles
each call (jit_compile). With geometry=own the suite calls run() instead: TensorFlow gets the operator's own attributes,
which are judged by its own rules (dialect `tensorflow`).

Choices of this adapter, not of TensorFlow:
- The padding is "VALID" or "SAME" if TensorFlow's rule for it gives the geometry's output and pads_begin. Otherwise
  conv2d_transpose gets explicit pads: pads_begin, and the least pads at the end that are not negative. This choice is
  for resolved geometry alone.
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
OWN = deconv_backend.option("geometry", "resolved", ["resolved", "own"]) == "own"
FUNCTIONS = {1: tf.nn.conv1d_transpose, 2: tf.nn.conv2d_transpose, 3: tf.nn.conv3d_transpose}
TYPES = ["f32", "f64", "f16", "bf16", "i32"]
FORMATS = {1: "NWC", 2: "NHWC", 3: "NDHWC"}


def padding_of(geometry):
    """Returns TensorFlow's argument `padding`: a word, a pair of pads for each axis, or None if neither fits."""
    if word := geometry.padding_word():
        return word
    # An output_padding is a negative pad at the end, which TensorFlow does not have. The size of the data is rounded
    # down in TensorFlow's rule, so a pad of 0 gives the same size if less than a stride is missing.
    ends = [end - more for end, more in zip(geometry.pads_end, geometry.output_padding)]
    if geometry.spatial_rank != 2 or any(-end >= stride for end, stride in zip(ends, geometry.strides)):
        return None
    return [[begin, max(end, 0)] for begin, end in zip(geometry.pads_begin, ends)]


def reason_against(element_type, spatial_rank, padding, dilations):
    """Returns the reason why TensorFlow does not compute such an operator on the CPU, or None."""
    dilated = max(dilations, default=1) > 1
    if element_type == "i32" and spatial_rank == 3:
        return "conv3d_transpose has no int32"
    if not JIT and dilated and element_type not in ("f32", "bf16"):
        return "TensorFlow's CPU kernels have dilations in f32 and bf16 alone"
    if padding is None:
        return "the pads are neither those of VALID nor of SAME, nor explicit ones"
    if spatial_rank != 2 and not isinstance(padding, str):
        return "only conv2d_transpose has explicit pads"
    if not JIT and dilated and not isinstance(padding, str):
        return "TensorFlow's CPU kernel for explicit pads has no dilations"
    return None


def supports(geometry):
    return reason_against(geometry.element_type, geometry.spatial_rank, padding_of(geometry), geometry.dilations)


def supports_operator(operator):
    """Does what supports() does, for the operator's own attributes."""
    padding, _, dilations, _ = operator.tensorflow_arguments()
    return reason_against(operator.data.element_type, len(operator.data.dims) - 2, padding, dilations)


def compute(data, filter, shape, strides, padding, dilations):
    """Calls the function of TensorFlow on data [N, C, spatial...] and a filter [C, O, spatial...]."""
    rank = data.ndim - 2
    values = tf.constant(numpy.ascontiguousarray(numpy.moveaxis(data, 1, -1)))
    weights = tf.constant(numpy.ascontiguousarray(numpy.transpose(filter, [*range(2, filter.ndim), 1, 0])))
    if not isinstance(padding, str):
        padding = [[0, 0], *padding, [0, 0]]

    def call(x, w):
        return FUNCTIONS[rank](x, w, shape, strides, padding, FORMATS[rank], dilations)

    output = (tf.function(call, jit_compile=True) if JIT else call)(values, weights).numpy()
    return numpy.moveaxis(output, -1, 1)


def deconv(data, filter, geometry):
    shape = [geometry.batch, *geometry.output, geometry.out_channels]
    return compute(data, filter[0], shape, geometry.strides, padding_of(geometry), geometry.dilations)


def run(operator, data, filter):
    if reason := supports_operator(operator):
        raise deconv_backend.Unsupported(reason)
    padding, strides, dilations, shape = operator.tensorflow_arguments()
    data = deconv_backend.filled(data, operator.data, "data", TYPES)
    filter = deconv_backend.filled(filter, operator.filter, "filter", TYPES)
    return compute(data, filter, shape, strides, padding, dilations)


if __name__ == "__main__":
    if JIT:
        arithmetic = {"known_deviations": ["structural-nan"]}
    else:
        arithmetic = {"arithmetic": [{"element_type": name, "accumulator": "storage", "subnormals": "flushed"}
                                     for name in ("f16", "bf16")]}
    if OWN:
        functions = {"run": run, "supports": supports_operator, "dialects": ["tensorflow"],
                     "refuses": [tf.errors.OpError, ValueError]}
    else:
        functions = {"deconv": deconv, "supports": supports, "refuses": [tf.errors.InvalidArgumentError]}
    deconv_backend.serve(
        name="tensorflow" + ("-xla" if JIT else ""), version=tf.__version__, types=TYPES, bf16="ml_dtypes",
        unsupported=["groups", "negative-pads"], max_attribute=2**31 - 1, subnormals="flushed", **functions, **arithmetic)
