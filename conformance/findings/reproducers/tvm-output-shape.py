# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Computes a ConvTranspose with output_shape by TVM."""
from one_tvm import run

print("without output_shape", run(2, strides=[2]))
print("output_shape 5", run(2, strides=[2], output_shape=[5]))
