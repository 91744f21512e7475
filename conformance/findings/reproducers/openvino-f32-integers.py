# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Reproduces a defect of OpenVINO: it computes integers and f64 in f32.

16777217 is 2^24 + 1, the smallest positive integer that f32 cannot hold. ../README.md describes the defect.
"""
import numpy
from one_backprop import run

for dtype in (numpy.int32, numpy.int64, numpy.float64):
    data, filter = numpy.array([[[16777217]]], dtype), numpy.ones([1, 1, 1], dtype)
    print(numpy.dtype(dtype).name, run(data, filter, [1], [0], [0]).flatten().tolist(), "instead of", [dtype(16777217).item()])
