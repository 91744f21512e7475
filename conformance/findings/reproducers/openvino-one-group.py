# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Reproduces a defect of OpenVINO: it refuses a GroupConvolutionBackpropData of one group.

The filter is [groups, input channels, output channels, kernel]. With one input channel the operator compiles.
../README.md describes the defect.
"""
import numpy
import openvino
from one_backprop import compiled, opset1

for channels in (1, 2):
    input_node = opset1.parameter([1, channels, 4], openvino.Type.f32)
    filter = opset1.constant(numpy.ones([1, channels, 1, 3], numpy.float32))
    output_node = opset1.group_convolution_backprop_data(input_node, filter, [1], pads_begin=[0], pads_end=[0],
                                                         dilations=[1])
    data = numpy.ones([1, channels, 4], numpy.float32)
    try:
        print(channels, "channels:", compiled([output_node], [input_node])([data])[0].shape)
    except RuntimeError:
        print(channels, "channels: does not compile")
