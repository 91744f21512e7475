# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Computes a ConvolutionBackpropData of OpenVINO on integers of 64 bits that 32 bits cannot hold."""
import numpy
from one_backprop import run

for dtype in (numpy.int64, numpy.uint64):
    for x, w in ((2**31, 1), (2**32, 1), (2**30, 2)):
        output = run(numpy.array([[[x]]], dtype), numpy.array([[[w]]], dtype), [1], [0], [0])
        print(numpy.dtype(dtype).name, x, "*", w, "gives", output.item())
