# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Reproduces a defect of TVM: it ignores output_shape. Both outputs have 6 elements, and the second must have 5.

../README.md describes the defect.
"""
from one_tvm import run

print("without output_shape", run(2, strides=[2]))
print("output_shape 5", run(2, strides=[2], output_shape=[5]))
