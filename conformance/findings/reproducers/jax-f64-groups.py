# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Computes a transposed convolution of two groups by JAX in f32 and in f64, where one group has a NaN."""
import jax
import numpy
from jax import lax

jax.config.update("jax_enable_x64", True)
for dtype in (numpy.float32, numpy.float64):
    x, w = numpy.ones([1, 2, 4], dtype), numpy.ones([1, 2, 2], dtype)
    x[0, 0, 1] = numpy.nan
    y = lax.conv_general_dilated(x, w, (1,), [(1, 1)], lhs_dilation=(1,), dimension_numbers=("NCW", "IOW", "NCW"),
                                 feature_group_count=2)
    print(numpy.dtype(dtype).name, "group 1:", y[0, 1].tolist())
