# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Computes a ConvTranspose of MNN with a pad of -1."""
from one_mnn import run

print(run([1.0, 2.0, 3.0], [1.0, 10.0], strides=[1, 1], pads=[0, -1, 0, 0]))
