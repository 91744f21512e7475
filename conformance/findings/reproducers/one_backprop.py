# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Runs one ConvolutionBackpropData of OpenVINO on the CPU. The programs openvino-*.py share it."""
import numpy
import openvino

try:
    from openvino import opset1
except ImportError:  # before 2024.0
    from openvino.runtime import opset1


def compiled(results, inputs):
    return openvino.Core().compile_model(openvino.Model(results, inputs, "one"), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})


def run(data, filter, strides, pads_begin, pads_end, **more):
    """The output for arrays of data and of the filter. `more` are further arguments of convolution_backprop_data."""
    x = opset1.parameter(list(data.shape), openvino.Type(data.dtype))
    dilations = [1] * len(strides)
    y = opset1.convolution_backprop_data(x, opset1.constant(filter), strides, pads_begin=pads_begin, pads_end=pads_end,
                                         dilations=dilations, **more)
    return numpy.array(compiled([y], [x])([data])[0])
