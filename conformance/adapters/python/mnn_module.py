# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""MNN: a ConvTranspose through MNN's converter of ONNX models, run by its module interface on the CPU.

    python3 -m deconv_backend mnn_module.py [--option precision=high|normal|low]

MNN resolves the attributes itself. Choices of this adapter, not of MNN: the converter reads and writes files in a
temporary folder, and an operator for which it writes none is refused. The adapter does not give MNN the attribute
output_shape, and declares so.
"""
import importlib.metadata
import os
import tempfile

import _tools
import deconv_backend
import MNN.expr as expr
import MNN.nn as nn
import numpy

PRECISION = deconv_backend.option("precision", "high", ["high", "normal", "low"])
supports = deconv_backend.supports_conv_transpose


def converted(operator, filter, folder):
    """The path of the model in MNN's format."""
    source, target = os.path.join(folder, "model.onnx"), os.path.join(folder, "model.mnn")
    with open(source, "wb") as file:
        file.write(deconv_backend.conv_transpose_model(operator, filter))
    _tools.mnnconvert(["mnnconvert", "-f", "ONNX", "--modelFile", source, "--MNNModel", target, "--bizCode", "b"])
    if not os.path.exists(target):
        raise deconv_backend.Refused("the converter wrote no model")
    return target


def run(operator, data, filter):
    if reason := supports(operator):
        raise deconv_backend.Unsupported(reason)
    if min([*operator.data.dims, *operator.filter.dims], default=0) < 0:
        raise deconv_backend.Refused("a tensor cannot have a negative dimension")
    if {operator.data.element_type, operator.filter.element_type} != {"f32"}:
        raise deconv_backend.Refused("no tensor of this type")
    if data is None or filter is None:
        raise deconv_backend.Unsupported("too large")
    with tempfile.TemporaryDirectory() as folder:
        model = converted(operator, filter, folder)
        manager = nn.create_runtime_manager(({"backend": "CPU", "numThread": 1, "precision": PRECISION},))
        module = nn.load_module_from_file(model, ["X"], ["Y"], runtime_manager=manager)
        x = expr.placeholder(list(data.shape), expr.NCHW, expr.float)
        x.write(numpy.ascontiguousarray(data))
        outputs = module.forward([x])
        if not outputs:
            raise deconv_backend.Refused("forward gave no output")
        output = expr.convert(outputs[0], expr.NCHW)
        try:
            return numpy.array(output.read()).reshape(output.shape).copy()
        except SystemError as error:
            raise deconv_backend.Refused("the output cannot be read") from error


if __name__ == "__main__":
    deconv_backend.serve(
        run=run, supports=supports, name=f"mnn-{PRECISION}", version=importlib.metadata.version("mnn"),
        dialects=["onnx-11"], types=["f32"], min_rank=4, max_rank=4, max_attribute=2**31 - 1,
        unsupported=["empty-tensors", "shape-attribute"])
