# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Computes a ConvTranspose of MNN with an infinite element."""
from one_mnn import run

print(run([1.0, float("inf"), 3.0], [1.0, 10.0], strides=[1, 1]), "instead of [1.0, inf, inf, 30.0]")
