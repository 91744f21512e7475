# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Reproduces a defect of MNN: it accepts a kernel_shape that contradicts the filter.

The filter of this ConvTranspose has 2 elements, so kernel_shape must be [1, 2]. ../README.md describes the defect.
"""
from one_mnn import run

for size in (1, 2, 3):
    print(f"kernel_shape [1, {size}]", run([1.0, 2.0, 3.0], [1.0, 10.0], strides=[1, 1], kernel_shape=[1, size]))
