# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Reproduces a defect of TVM: it accepts a kernel_shape that contradicts the filter, which has 2 elements.

../README.md describes the defect.
"""
from one_tvm import run

for size in (2, 3):
    print(f"kernel_shape [{size}]", run(2, strides=[1], kernel_shape=[size]))
