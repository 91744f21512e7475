# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Computes a ConvTranspose by TVM with a pad of -1, and with an output_padding of -1."""
from one_tvm import run

print("pads [-1, 0]", run(2, strides=[2], pads=[-1, 0]))
print("output_padding -1", run(2, strides=[2], output_padding=[-1]))
