# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Reproduces a defect of OpenVINO: it converts integers of 64 bits to 32 bits.

Each product fits 64 bits, and must be exact. ../README.md describes the defect.
"""
import numpy
from one_backprop import run

for dtype in (numpy.int64, numpy.uint64):
    for element, weight in ((2**31, 1), (2**32, 1), (2**30, 2)):
        output = run(numpy.array([[[element]]], dtype), numpy.array([[[weight]]], dtype), [1], [0], [0])
        print(numpy.dtype(dtype).name, element, "*", weight, "gives", output.item())
