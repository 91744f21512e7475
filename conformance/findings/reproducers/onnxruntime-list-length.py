# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Runs a ConvTranspose of two axes by ONNX Runtime, with an output_shape of three values."""
import onnxruntime
import numpy
from onnx import TensorProto, helper


def model(data, filter, **attributes):
    """A model with one ConvTranspose, whose filter has ones."""
    node = helper.make_node("ConvTranspose", ["X", "W"], ["Y"], kernel_shape=filter[2:], **attributes)
    ones = helper.make_tensor("W", TensorProto.FLOAT, filter, numpy.ones(filter, numpy.float32).flatten())
    graph = helper.make_graph([node], "graph", [helper.make_tensor_value_info("X", TensorProto.FLOAT, data)],
                              [helper.make_tensor_value_info("Y", TensorProto.FLOAT, [None] * len(data))], [ones])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 11)], ir_version=8)


def run(data, filter, **attributes):
    session = onnxruntime.InferenceSession(model(data, filter, **attributes).SerializeToString(),
                                           providers=["CPUExecutionProvider"])
    return session.run(None, {"X": numpy.ones(data, numpy.float32)})[0]


print(run([1, 1, 2, 2], [1, 1, 1, 1], output_shape=[2, 2, 2]).shape, "instead of an error")
