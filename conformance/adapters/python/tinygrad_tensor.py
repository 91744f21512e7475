# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Makes tinygrad a backend (a library under test) of deconv-cts, the test suite for transposed convolutions.

    python3 -m deconv_backend tinygrad_tensor.py

The suite calls deconv() with sizes and pads that it has computed (class Geometry of deconv_backend/operators.py). Each
operator is a call of Tensor.conv_transpose2d, which takes any number of axes, on the device CPU.

Choices of this adapter, not of tinygrad:
- The pads of both ends are passed in tinygrad's order, the last axis first. The output_padding is passed on.
- tinygrad inserts zeros between the data. The adapter declares that tinygrad multiplies them.
"""
import importlib.metadata
import os

os.environ.setdefault("DEV", "CPU")

import deconv_backend  # noqa: E402
import numpy  # noqa: E402
from tinygrad import Tensor, dtypes  # noqa: E402

TYPES = {"f32": dtypes.float, "f64": dtypes.double, "f16": dtypes.half, "i32": dtypes.int, "i64": dtypes.long,
         "u32": dtypes.uint, "u64": dtypes.ulong}


def deconv(data, filter, geometry):
    groups, inputs, outputs = filter.shape[:3]
    dtype = TYPES[geometry.element_type]
    x = Tensor(numpy.ascontiguousarray(data), dtype=dtype)
    w = Tensor(numpy.ascontiguousarray(filter).reshape([groups * inputs, outputs, *geometry.kernel]), dtype=dtype)
    padding = [pad for pair in zip(geometry.pads_begin[::-1], geometry.pads_end[::-1]) for pad in pair]
    return x.conv_transpose2d(w, groups=groups, stride=geometry.strides, dilation=geometry.dilations,
                              padding=tuple(padding), output_padding=geometry.output_padding).numpy()


if __name__ == "__main__":
    deconv_backend.serve(
        deconv, name="tinygrad", version=importlib.metadata.version("tinygrad"), types=list(TYPES),
        unsupported=["empty-tensors"], known_deviations=["structural-nan"])
