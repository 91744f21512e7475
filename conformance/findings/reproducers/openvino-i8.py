# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Reproduces a defect of OpenVINO: in i8 every output of this operator is 127.

Data and filter are ones. In f32 each output is 1 or 2. ../README.md describes the defect.
"""
import numpy
from one_backprop import run

for dtype in (numpy.int8, numpy.float32):
    data, filter = numpy.ones([1, 1, 2], dtype), numpy.ones([1, 1, 5], dtype)
    print(numpy.dtype(dtype).name, run(data, filter, [2], [0], [0]).flatten().tolist())
