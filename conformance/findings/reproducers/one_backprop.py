# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Runs one ConvolutionBackpropData of OpenVINO on the CPU, for the reproducers openvino-*.py in this folder."""
import numpy
import openvino

try:
    from openvino import opset1
except ImportError:  # before 2024.0
    from openvino.runtime import opset1


def compiled(results, inputs):
    """The compiled model with these output and input nodes. The hint keeps sums in f32 on CPUs with bf16."""
    return openvino.Core().compile_model(openvino.Model(results, inputs, "one"), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})


def run(data, filter, strides, pads_begin, pads_end, **more):
    """The output for arrays of data and of the filter. `more` are further arguments of convolution_backprop_data."""
    input_node = opset1.parameter(list(data.shape), openvino.Type(data.dtype))
    dilations = [1] * len(strides)
    output_node = opset1.convolution_backprop_data(input_node, opset1.constant(filter), strides, pads_begin=pads_begin,
                                                   pads_end=pads_end, dilations=dilations, **more)
    return numpy.array(compiled([output_node], [input_node])([data])[0])
