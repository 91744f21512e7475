# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Runs a ConvTranspose with dilations of 2 by OpenCV, and prints the shape of the output."""
import cv2
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
    net = cv2.dnn.readNetFromONNX(numpy.frombuffer(model(data, filter, **attributes).SerializeToString(), numpy.uint8))
    net.setInput(numpy.ones(data, numpy.float32), "X")
    return net.forward("Y")


print(run([1, 1, 3, 3], [1, 1, 2, 2], dilations=[2, 2]).shape, "instead of (1, 1, 5, 5)")
