# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Evaluates a ConvTranspose whose output_shape is smaller than its natural size."""
import numpy
from onnx import TensorProto, helper
from onnx.reference import ReferenceEvaluator


def run(data, filter, **attributes):
    """The shape of the output of a ConvTranspose on ones, or the error."""
    node = helper.make_node("ConvTranspose", ["X", "W"], ["Y"], **attributes)
    inputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, dims) for name, dims in (("X", data), ("W", filter))]
    output = helper.make_tensor_value_info("Y", TensorProto.FLOAT, [None] * len(data))
    graph = helper.make_graph([node], "graph", inputs, [output])
    evaluator = ReferenceEvaluator(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 11)], ir_version=8))
    try:
        return evaluator.run(None, {"X": numpy.ones(data, numpy.float32), "W": numpy.ones(filter, numpy.float32)})[0].shape
    except ValueError as error:
        return f"ValueError: {error}"


print(run([1, 1, 3], [1, 1, 3], strides=[2], output_shape=[7]))
print(run([1, 1, 3], [1, 1, 3], strides=[2], output_shape=[6]), "instead of (1, 1, 6)")
