# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Compiles a ConvolutionBackpropData of OpenVINO whose output_shape is an input of the model."""
import numpy
import openvino
from one_backprop import compiled, opset1

for dims in ([1, 1, -1], [1, 1, 4]):
    x, shape = opset1.parameter(dims, openvino.Type.f32), opset1.parameter([1], openvino.Type.i64)
    filter = opset1.constant(numpy.ones([1, 1, 3], numpy.float32))
    y = opset1.convolution_backprop_data(x, filter, [2], output_shape=shape, pads_begin=[0], pads_end=[0], dilations=[1])
    try:
        out = compiled([y], [x, shape])([numpy.ones([1, 1, 4], numpy.float32), numpy.array([8])])[0]
        print(dims, out.flatten().tolist())
    except RuntimeError:
        print(dims, "does not compile")
