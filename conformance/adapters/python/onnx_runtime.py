# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""ONNX Runtime: its ConvTranspose, as a model with one node. It resolves the attributes itself.

    python3 -m deconv_backend onnx_runtime.py [--option provider=CPUExecutionProvider] [--option threads=N]
        [--option optimize=all] [--option opset=11] [--option filter=input]

`provider` is any execution provider of the installed ONNX Runtime. Readings of this adapter, not of ONNX Runtime:
- An attribute that the operator does not have is left out of the model.
- The output's shape is left open in the model, so that it is the library's.
"""
import math

import deconv_backend
import numpy
import onnxruntime

PROVIDER = deconv_backend.option("provider", "CPUExecutionProvider")
THREADS = int(deconv_backend.option("threads", "1"))
OPTIMIZE = deconv_backend.option("optimize", "disabled", ["disabled", "basic", "extended", "all"])
OPSET = int(deconv_backend.option("opset", "11"))
FILTER = deconv_backend.option("filter", "initializer", ["initializer", "input"])
LEVELS = {"disabled": "ORT_DISABLE_ALL", "basic": "ORT_ENABLE_BASIC", "extended": "ORT_ENABLE_EXTENDED",
          "all": "ORT_ENABLE_ALL"}
# The suite sends no values with an invalid operator whose tensors are large. It is tried on zeros up to this size.
MOST_TRIED = 1 << 22


def supports(operator):
    return "a third input is a bias, which is not driven" if operator.output_shape is not None else None


def filled(array, tensor, role):
    if array is not None:
        return array
    if min(tensor.dims, default=0) < 0:
        raise deconv_backend.Refused(f"{role}: a tensor cannot have a negative dimension")
    if math.prod(tensor.dims) > MOST_TRIED:
        raise deconv_backend.Unsupported(f"{role}: too large to be tried")
    if tensor.element_type not in ("f32", "boolean"):
        raise deconv_backend.Refused(f"{role}: no array of type {tensor.element_type}")
    return numpy.zeros(tensor.dims, numpy.float32 if tensor.element_type == "f32" else numpy.bool_)


def run(operator, data, filter):
    reason = supports(operator)
    if reason:
        raise deconv_backend.Unsupported(reason)
    data, filter = filled(data, operator.data, "data"), filled(filter, operator.filter, "filter")
    settings = onnxruntime.SessionOptions()
    settings.graph_optimization_level = getattr(onnxruntime.GraphOptimizationLevel, LEVELS[OPTIMIZE])
    settings.intra_op_num_threads = settings.inter_op_num_threads = THREADS
    settings.log_severity_level = 4
    as_input = FILTER == "input"
    model = deconv_backend.conv_transpose_model(operator, None if as_input else filter, OPSET)
    session = onnxruntime.InferenceSession(model, settings, providers=[PROVIDER])
    return session.run(["Y"], {"X": data, "W": filter} if as_input else {"X": data})[0]


if __name__ == "__main__":
    if PROVIDER not in onnxruntime.get_available_providers():
        raise SystemExit(f"option provider={PROVIDER}: expected one of "
                         f"{', '.join(onnxruntime.get_available_providers())}")
    onnxruntime.set_default_logger_severity(4)
    deconv_backend.serve(
        run=run, supports=supports, name=f"onnxruntime-{PROVIDER.removesuffix('ExecutionProvider').lower()}",
        version=onnxruntime.__version__, dialects=["onnxruntime"], types=["f32"], refuses=[Exception])
