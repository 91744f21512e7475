# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Compiles a GroupConvolutionBackpropData of OpenVINO that has one group."""
import numpy
import openvino
from one_backprop import compiled, opset1

for channels in (1, 2):
    x = opset1.parameter([1, channels, 4], openvino.Type.f32)
    filter = opset1.constant(numpy.ones([1, channels, 1, 3], numpy.float32))
    y = opset1.group_convolution_backprop_data(x, filter, [1], pads_begin=[0], pads_end=[0], dilations=[1])
    try:
        print(channels, "channels:", compiled([y], [x])([numpy.ones([1, channels, 4], numpy.float32)])[0].shape)
    except RuntimeError:
        print(channels, "channels: does not compile")
