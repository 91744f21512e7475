# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Makes MNN a backend (a library under test) of deconv-cts, the test suite for transposed convolutions.

    python3 -m deconv_backend mnn_module.py [--option precision=high|normal|low]

The suite calls run() with the attributes as a model has them (class Operator of deconv_backend/operators.py). MNN
resolves them itself. Each operator is an ONNX model with one ConvTranspose. MNN's converter translates the model, and
MNN's module interface runs it on the CPU.

Choices of this adapter, not of MNN:
- The converter reads and writes files in a temporary folder. An operator for which it writes no file is refused.
- The adapter does not give MNN the attribute output_shape, and declares so.
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
    """Converts the model in the folder. Returns the path of the model in MNN's format."""
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
    deconv_backend.refuse_negative_dims(operator)
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
