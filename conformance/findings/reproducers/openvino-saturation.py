# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Computes a ConvolutionBackpropData of OpenVINO whose product is too large for 8 bits, and one for 16 bits."""
import numpy
from one_backprop import run

for dtype in (numpy.int8, numpy.uint8, numpy.int16, numpy.uint16):
    largest = numpy.iinfo(dtype).max
    data, filter = numpy.array([[[largest]]], dtype), numpy.array([[[2]]], dtype)
    wrapped = (data * filter).flatten().tolist()
    print(f"{largest} * 2 in {numpy.dtype(dtype).name}", run(data, filter, [1], [0], [0]).flatten().tolist(), "wraps to", wrapped)
