# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Computes a ConvTranspose by TVM with SAME_UPPER and a stride of 3, with kernels of 1 to 3."""
from one_tvm import run

for kernel in (1, 2, 3):
    print(f"kernel {kernel}", run(kernel, strides=[3], auto_pad="SAME_UPPER"))
