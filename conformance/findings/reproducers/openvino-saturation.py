# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Reproduces a defect of OpenVINO: too large results saturate in 8 bits, and wrap in 16 bits.

The program multiplies the largest number of each type by 2. ../README.md describes the defect.
"""
import numpy
from one_backprop import run

for dtype in (numpy.int8, numpy.uint8, numpy.int16, numpy.uint16):
    largest = numpy.iinfo(dtype).max
    data, filter = numpy.array([[[largest]]], dtype), numpy.array([[[2]]], dtype)
    wrapped = (data * filter).flatten().tolist()
    print(f"{largest} * 2 in {numpy.dtype(dtype).name}", run(data, filter, [1], [0], [0]).flatten().tolist(), "wraps to", wrapped)
