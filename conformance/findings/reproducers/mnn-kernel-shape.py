# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Computes a ConvTranspose of MNN whose kernel_shape is not that of the filter, which has 2 elements."""
from one_mnn import run

for size in (1, 2, 3):
    print(f"kernel_shape [1, {size}]", run([1.0, 2.0, 3.0], [1.0, 10.0], strides=[1, 1], kernel_shape=[1, size]))
