# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Computes jax.lax.conv_general_dilated on data that lhs_dilation spreads over 2^31 - 1 and over 2^31 + 1 elements."""
import os

os.environ["JAX_PLATFORMS"] = "cpu"
from jax import lax, numpy  # noqa: E402

x, w = numpy.ones([1, 1, 2, 3]), numpy.ones([1, 1, 3, 2])
for stride in (2**30 - 1, 2**30):
    padding = [(2, 2), (2 - 2 * stride, 1)]  # the last elements of the output
    print(stride, lax.conv_general_dilated(x, w, (1, 1), padding, lhs_dilation=(2, stride)).flatten().tolist())
