# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Checks a model with a ConvTranspose whose filter has no spatial axis. The process ends."""
import onnx.checker
from onnx import TensorProto, helper

node = helper.make_node("ConvTranspose", ["X", "W"], ["Y"])
inputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, dims) for name, dims in (("X", [1, 1, 1]), ("W", [1, 1]))]
output = helper.make_tensor_value_info("Y", TensorProto.FLOAT, [None] * 3)
graph = helper.make_graph([node], "graph", inputs, [output])
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 11)], ir_version=8)

onnx.checker.check_model(model)
print("check_model accepts the model", flush=True)
onnx.checker.check_model(model, full_check=True)
print("check_model with full_check accepts the model")
