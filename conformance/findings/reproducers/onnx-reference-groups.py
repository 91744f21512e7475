# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Evaluates a ConvTranspose of two groups with two output channels each."""
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


print(run([1, 2, 2], [2, 2, 1], group=2), "instead of (1, 4, 2)")
