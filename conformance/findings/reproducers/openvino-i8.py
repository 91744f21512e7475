# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Computes a ConvolutionBackpropData of OpenVINO on ones, in i8 and in f32."""
import numpy
from one_backprop import run

for dtype in (numpy.int8, numpy.float32):
    data, filter = numpy.ones([1, 1, 2], dtype), numpy.ones([1, 1, 5], dtype)
    print(numpy.dtype(dtype).name, run(data, filter, [2], [0], [0]).flatten().tolist())
