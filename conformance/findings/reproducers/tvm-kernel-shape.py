# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Computes a ConvTranspose by TVM whose kernel_shape is not that of the filter, which has 2 elements."""
from one_tvm import run

for size in (2, 3):
    print(f"kernel_shape [{size}]", run(2, strides=[1], kernel_shape=[size]))
