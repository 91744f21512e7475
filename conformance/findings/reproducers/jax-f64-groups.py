# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Reproduces a defect of JAX: in f64 a NaN of one group reaches the output of another group.

The data have two groups of one channel. Only the first group has a NaN, so the second must be 1, 2, 2, 2, 1, as it is
in f32. ../README.md describes the defect.
"""
import jax
import numpy
from jax import lax

jax.config.update("jax_enable_x64", True)
for dtype in (numpy.float32, numpy.float64):
    data, filter = numpy.ones([1, 2, 4], dtype), numpy.ones([1, 2, 2], dtype)
    data[0, 0, 1] = numpy.nan
    output = lax.conv_general_dilated(data, filter, (1,), [(1, 1)], lhs_dilation=(1,), feature_group_count=2,
                                      dimension_numbers=("NCW", "IOW", "NCW"))
    print(numpy.dtype(dtype).name, "group 1:", output[0, 1].tolist())
