# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Makes an ONNX model of one ConvTranspose. The programs for OpenCV and for ONNX's reference evaluator share it."""
import numpy
from onnx import TensorProto, helper


def model(data, filter, **attributes):
    """A model with data and a filter of these dims. The filter has ones."""
    node = helper.make_node("ConvTranspose", ["X", "W"], ["Y"], **{"kernel_shape": filter[2:], **attributes})
    ones = helper.make_tensor("W", TensorProto.FLOAT, filter, numpy.ones(filter, numpy.float32).flatten())
    graph = helper.make_graph([node], "graph", [helper.make_tensor_value_info("X", TensorProto.FLOAT, data)],
                              [helper.make_tensor_value_info("Y", TensorProto.FLOAT, [None] * len(data))], [ones])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 11)], ir_version=8)
