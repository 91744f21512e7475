# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Computes a ConvTranspose of MNN with SAME_UPPER and with SAME_LOWER."""
from one_mnn import run

for auto_pad in ("SAME_UPPER", "SAME_LOWER"):
    print(auto_pad, run([1.0, 2.0, 3.0], [1.0, 10.0], strides=[1, 1], auto_pad=auto_pad))
