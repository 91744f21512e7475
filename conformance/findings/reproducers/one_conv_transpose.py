# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Makes an ONNX model of one ConvTranspose, for the reproducers of OpenCV, ONNX, TVM and OpenVINO in this folder."""
import numpy
from onnx import TensorProto, helper


def model(data, filter, **attributes):
    """A model for data of the dims `data`, with a filter of ones of the dims `filter`. `attributes` are ONNX's."""
    node = helper.make_node("ConvTranspose", ["X", "W"], ["Y"], **{"kernel_shape": filter[2:], **attributes})
    ones = helper.make_tensor("W", TensorProto.FLOAT, filter, numpy.ones(filter, numpy.float32).flatten())
    graph = helper.make_graph([node], "graph", [helper.make_tensor_value_info("X", TensorProto.FLOAT, data)],
                              [helper.make_tensor_value_info("Y", TensorProto.FLOAT, [None] * len(data))], [ones])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 11)], ir_version=8)
