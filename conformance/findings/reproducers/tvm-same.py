# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Reproduces a defect of TVM: with SAME_UPPER and a kernel below the stride, the output is too small.

ONNX says that the output has the size of the data times the stride, here 9. ../README.md describes the defect.
"""
from one_tvm import run

for kernel in (1, 2, 3):
    print(f"kernel {kernel}", run(kernel, strides=[3], auto_pad="SAME_UPPER"))
