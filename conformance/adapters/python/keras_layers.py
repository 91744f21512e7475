# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Makes Keras a backend (a library under test) of deconv-cts, the test suite for transposed convolutions.

    python3 -m deconv_backend keras_layers.py [--option backend=tensorflow|jax|torch]

The suite calls deconv() with sizes and pads that it has computed (class Geometry of deconv_backend/operators.py). Each
operator is a layer Conv1DTranspose, Conv2DTranspose or Conv3DTranspose. The option `backend` is the framework that
computes for Keras.

Choices of this adapter, not of Keras:
- Keras takes one padding, "valid" or "same", for all axes, and an output_padding. The adapter passes the values with
  which Keras computes the output size and the pads_begin of the geometry.
- The adapter declares the arithmetic of the framework, as the adapters of TensorFlow, JAX and PyTorch do.
"""
import os
import warnings

import deconv_backend

BACKEND = deconv_backend.option("backend", "tensorflow", ["tensorflow", "jax", "torch"])
os.environ["KERAS_BACKEND"] = BACKEND  # read when Keras is loaded
os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import keras  # noqa: E402
import numpy  # noqa: E402

if BACKEND == "jax":
    import jax
if BACKEND == "tensorflow":
    import tensorflow
if BACKEND == "torch":
    import torch

LAYERS = {1: keras.layers.Conv1DTranspose, 2: keras.layers.Conv2DTranspose, 3: keras.layers.Conv3DTranspose}
TYPES = {"f32": "float32", "f64": "float64", "f16": "float16", "bf16": "bfloat16"}
ARITHMETIC = {
    "tensorflow": {"subnormals": "flushed",
                   "arithmetic": [{"element_type": name, "accumulator": "storage", "subnormals": "flushed"}
                                  for name in ("f16", "bf16")]},
    "jax": {"subnormals": "flushed", "known_deviations": ["structural-nan"]},
    "torch": {"arithmetic": [{"element_type": "f16", "accumulator": "storage"},
                             {"element_type": "bf16", "accumulator": "storage"}]},
}

# TensorFlow refuses some sizes that Keras computes: by AbortedError with oneDNN, by InvalidArgumentError without it.
REFUSES = [tensorflow.errors.AbortedError, tensorflow.errors.InvalidArgumentError] if BACKEND == "tensorflow" else []


def size_and_pad(data, kernel, stride, dilation, padding, output_padding):
    """Returns the output size and the pads_begin that Keras computes for one axis.

    Example: data 5, kernel 3, stride 2 and "same" without output_padding (None) give 10 and 0.
    """
    extent = dilation * (kernel - 1) + 1
    if output_padding is None:
        size = data * stride + (max(extent - stride, 0) if padding == "valid" else 0)
    else:
        size = (data - 1) * stride + extent + output_padding - (2 * (extent // 2) if padding == "same" else 0)
    total = max((data - 1) * stride + extent - size, 0)
    return size, total // 2 if padding == "same" else 0


def paddings_of(geometry):
    """Returns the arguments (padding, output_padding) of a layer that computes this geometry, or None."""
    axes = list(zip(geometry.data, geometry.kernel, geometry.strides, geometry.dilations))
    wanted = list(zip(geometry.output, geometry.pads_begin))
    for padding in ("valid", "same"):
        if [size_and_pad(*axis, padding, None) for axis in axes] == wanted:
            return padding, None
        # What is missing from the size without output_padding.
        extra = tuple(size - size_and_pad(*axis, padding, 0)[0] for axis, (size, _) in zip(axes, wanted))
        fits = [size_and_pad(*axis, padding, more) for axis, more in zip(axes, extra)] == wanted
        # Keras takes an output_padding below the stride, axis[2].
        if fits and all(0 <= more < axis[2] for axis, more in zip(axes, extra)):
            return padding, extra
    return None


def supports(geometry):
    if max(geometry.strides) > 1 and max(geometry.dilations) > 1:
        return "Keras has no strides together with dilations"
    if BACKEND == "tensorflow" and max(geometry.dilations) > 1 and geometry.element_type in ("f64", "f16"):
        return "TensorFlow's CPU kernels have dilations in f32 and bf16 alone"
    if paddings_of(geometry) is None:
        return "no padding and output_padding of the layer give this output"
    return None


def deconv(data, filter, geometry):
    padding, output_padding = paddings_of(geometry)
    rank = geometry.spatial_rank
    layer = LAYERS[rank](geometry.out_channels, geometry.kernel, strides=geometry.strides, padding=padding,
                         output_padding=output_padding, dilation_rate=geometry.dilations, use_bias=False,
                         data_format="channels_last", dtype=TYPES[geometry.element_type])
    values = numpy.ascontiguousarray(numpy.moveaxis(data, 1, -1))
    layer.build(values.shape)
    layer.set_weights([numpy.ascontiguousarray(numpy.transpose(filter[0], [*range(2, rank + 2), 1, 0]))])
    output = layer(values)
    if BACKEND == "torch":
        output = output.detach()
        if geometry.element_type == "bf16":  # PyTorch does not convert bf16 to NumPy
            output = output.view(torch.int16).numpy().view(data.dtype)
    return numpy.moveaxis(numpy.asarray(output), -1, 1)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    if BACKEND == "jax":
        jax.config.update("jax_enable_x64", True)
    if BACKEND == "torch":
        torch.set_num_threads(1)
    deconv_backend.serve(
        deconv, supports=supports, name=f"keras-{BACKEND}", version=keras.__version__, types=list(TYPES),
        bf16="ml_dtypes", unsupported=["groups", "negative-pads", "empty-tensors"], max_attribute=2**31 - 1,
        refuses=REFUSES, **ARITHMETIC[BACKEND])
