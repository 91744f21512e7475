# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Reproduces a defect of OpenVINO: with a kernel of 1 it ignores pads if the output is as large as the data.

pads_begin 1 moves the output by one element. With output_padding 1 it has no effect. ../README.md describes the defect.
"""
import numpy
from one_backprop import run

data, filter = numpy.array([[[1, 2, 3]]], numpy.float32), numpy.ones([1, 1, 1], numpy.float32)
print("pads_begin 1, output_padding 1:", run(data, filter, [1], [1], [0], output_padding=[1]).flatten().tolist(),
      "instead of [2.0, 3.0, 0.0]")
print("pads_begin 1:", run(data, filter, [1], [1], [0]).flatten().tolist())
