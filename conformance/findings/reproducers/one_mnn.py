# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Runs one ConvTranspose of MNN along its last axis, for the reproducers mnn-*.py in this folder."""
import os
import sys
import tempfile

# MNN prints to standard output. Only what Python prints goes there.
sys.stdout = os.fdopen(os.dup(1), "w")
os.dup2(os.open(os.devnull, os.O_WRONLY), 1)

import _tools  # noqa: E402
import MNN.expr as expr  # noqa: E402
import MNN.nn as nn  # noqa: E402
import numpy  # noqa: E402
from onnx import TensorProto, helper  # noqa: E402


def run(data, filter, **attributes):
    """Returns the output as a list. `data` and `filter` are lists along the last axis; `attributes` are those of ONNX.

    MNN reads its own format, so its converter translates an ONNX model first.
    """
    node = helper.make_node("ConvTranspose", ["X", "W"], ["Y"], **{"kernel_shape": [1, len(filter)], **attributes})
    weights = helper.make_tensor("W", TensorProto.FLOAT, [1, 1, 1, len(filter)], filter)
    graph = helper.make_graph([node], "graph", [helper.make_tensor_value_info("X", TensorProto.FLOAT, [1, 1, 1, len(data)])],
                              [helper.make_tensor_value_info("Y", TensorProto.FLOAT, [None] * 4)], [weights])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 11)], ir_version=8)
    with tempfile.TemporaryDirectory() as folder:
        source, target = os.path.join(folder, "model.onnx"), os.path.join(folder, "model.mnn")
        with open(source, "wb") as file:
            file.write(model.SerializeToString())
        _tools.mnnconvert(["mnnconvert", "-f", "ONNX", "--modelFile", source, "--MNNModel", target, "--bizCode", "b"])
        manager = nn.create_runtime_manager(({"backend": "CPU", "numThread": 1, "precision": "high"},))
        module = nn.load_module_from_file(target, ["X"], ["Y"], runtime_manager=manager)
        input_tensor = expr.placeholder([1, 1, 1, len(data)], expr.NCHW, expr.float)
        input_tensor.write(numpy.array(data, numpy.float32).reshape(1, 1, 1, -1))
        output = expr.convert(module.forward([input_tensor])[0], expr.NCHW)
        return numpy.array(output.read()).flatten().tolist()
