# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Reproduces a defect of JAX: data that a stride spreads over more than 2^31 elements give zeros.

lhs_dilation puts stride - 1 zeros between two elements, so three elements are spread over 2 * stride + 1. The padding
cuts all but the last elements of the output, which must be equal for both strides. ../README.md describes the defect.
"""
import os

os.environ["JAX_PLATFORMS"] = "cpu"
from jax import lax, numpy  # noqa: E402

data, filter = numpy.ones([1, 1, 2, 3]), numpy.ones([1, 1, 3, 2])
for stride in (2**30 - 1, 2**30):
    padding = [(2, 2), (2 - 2 * stride, 1)]  # the last elements of the output
    print(stride, lax.conv_general_dilated(data, filter, (1, 1), padding, lhs_dilation=(2, stride)).flatten().tolist())
