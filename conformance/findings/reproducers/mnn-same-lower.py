# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Reproduces a defect of MNN: it computes SAME_LOWER as SAME_UPPER.

One of 4 elements is cut. SAME_UPPER cuts the last one. SAME_LOWER must cut the first one, which gives 12, 23, 30.
../README.md describes the defect.
"""
from one_mnn import run

for auto_pad in ("SAME_UPPER", "SAME_LOWER"):
    print(auto_pad, run([1.0, 2.0, 3.0], [1.0, 10.0], strides=[1, 1], auto_pad=auto_pad))
