# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Reproduces a defect of OpenVINO: an output_shape that is an input does not compile beside data of fixed size.

With a data size of -1 (any size) the same model compiles. ../README.md describes the defect.
"""
import numpy
import openvino
from one_backprop import compiled, opset1

for dims in ([1, 1, -1], [1, 1, 4]):
    data_node, shape_node = opset1.parameter(dims, openvino.Type.f32), opset1.parameter([1], openvino.Type.i64)
    filter = opset1.constant(numpy.ones([1, 1, 3], numpy.float32))
    output_node = opset1.convolution_backprop_data(data_node, filter, [2], output_shape=shape_node, pads_begin=[0],
                                                   pads_end=[0], dilations=[1])
    inputs = [numpy.ones([1, 1, 4], numpy.float32), numpy.array([8])]
    try:
        print(dims, compiled([output_node], [data_node, shape_node])(inputs)[0].flatten().tolist())
    except RuntimeError:
        print(dims, "does not compile")
