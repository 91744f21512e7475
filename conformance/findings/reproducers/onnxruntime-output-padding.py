# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Runs a ConvTranspose of ones by ONNX Runtime, with an output_padding of the stride and more. The process ends."""
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
    return session.run(None, {"X": numpy.ones(data, numpy.float32)})[0].astype(int)


print(run([1, 1, 2, 2], [1, 1, 1, 1], output_padding=[0, 1]).flatten(), "instead of [1 1 0 1 1 0]")
# PyTorch: torch.nn.ConvTranspose2d(1, 1, 2, dilation=2, output_padding=1)
print(run([1, 1, 2, 2], [1, 1, 2, 2], dilations=[2, 2], output_padding=[1, 1])[0, 0, 0], "instead of [1 1 1 1 0]", flush=True)
print(run([1, 1, 2, 2], [1, 1, 1, 1], output_padding=[0, 10000000]).shape)
