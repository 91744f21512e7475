# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Computes a ConvolutionBackpropData of OpenVINO on integers and f64 that f32 cannot hold."""
import numpy
from one_backprop import run

for dtype in (numpy.int32, numpy.int64, numpy.float64):
    data, filter = numpy.array([[[16777217]]], dtype), numpy.ones([1, 1, 1], dtype)
    print(numpy.dtype(dtype).name, run(data, filter, [1], [0], [0]).flatten().tolist(), "instead of", [dtype(16777217).item()])
