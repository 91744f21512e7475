# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Reproduces a defect of OpenVINO's reader of ONNX models: beside output_shape it ignores auto_pad.

One of 4 elements is cut. SAME_UPPER must cut the last one, which gives 1, 12, 23. ../README.md describes the defect.
"""
import io

import numpy
import openvino
from onnx import TensorProto, helper

for auto_pad in ("NOTSET", "SAME_UPPER", "SAME_LOWER"):
    node = helper.make_node("ConvTranspose", ["X", "W"], ["Y"], strides=[1], auto_pad=auto_pad, output_shape=[3])
    weights = helper.make_tensor("W", TensorProto.FLOAT, [1, 1, 2], [1, 10])
    graph = helper.make_graph([node], "graph", [helper.make_tensor_value_info("X", TensorProto.FLOAT, [1, 1, 3])],
                              [helper.make_tensor_value_info("Y", TensorProto.FLOAT, [None] * 3)], [weights])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 11)], ir_version=8)
    core = openvino.Core()
    read = core.read_model(io.BytesIO(model.SerializeToString()))
    output = core.compile_model(read, "CPU")([numpy.array([[[1, 2, 3]]], numpy.float32)])[0]
    print(auto_pad, output.flatten().tolist())
