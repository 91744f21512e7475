# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Computes a ConvTranspose of MNN with an output_padding of 0 and of -1."""
from one_mnn import run

for padding in (0, -1):
    print(f"output_padding {padding}", run([1.0, 2.0, 3.0], [1.0, 10.0], strides=[1, 2], output_padding=[0, padding]))
