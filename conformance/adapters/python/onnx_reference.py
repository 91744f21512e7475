# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Makes ONNX's reference evaluator a backend (a library under test) of deconv-cts, the test suite for transposed
convolutions.

    python3 -m deconv_backend onnx_reference.py [--option opset=11] [--option check=off]

The suite calls run() with the attributes as a model has them (class Operator of deconv_backend/operators.py). Each
operator is a model with one ConvTranspose, which onnx.reference.ReferenceEvaluator runs. The evaluator resolves the
attributes itself, and does not check them. onnx.checker does that. With check=on, the default, the adapter first runs
the checker with strict shape inference, which refuses invalid operators.
"""
import math

import deconv_backend
import numpy
import onnx
import onnx.checker
import onnx.reference

OPSET = int(deconv_backend.option("opset", "11"))
CHECK = deconv_backend.option("check", "on", ["on", "off"])

MOST_TAPS = 1 << 10  # elements of a filter along its spatial axes; a guess


def supports(operator):
    if reason := deconv_backend.supports_conv_transpose(operator):
        return reason
    if math.prod(operator.filter.dims[2:]) > MOST_TAPS:
        return "a step of Python for each tap and output: too slow"
    return None


def run(operator, data, filter):
    if reason := deconv_backend.supports_conv_transpose(operator):
        raise deconv_backend.Unsupported(reason)
    deconv_backend.refuse_negative_dims(operator)
    model = onnx.load_from_string(deconv_backend.conv_transpose_model(operator, None, OPSET))
    if CHECK == "on":
        onnx.checker.check_model(model, full_check=True)
    if data is None or filter is None:
        raise deconv_backend.Unsupported("NumPy has no array of these dimensions or types")
    with numpy.errstate(all="ignore"):
        return onnx.reference.ReferenceEvaluator(model).run(None, {"X": data, "W": filter})[0]


if __name__ == "__main__":
    deconv_backend.serve(
        run=run, supports=supports, name="onnx-reference", version=onnx.__version__, dialects=["onnx-11"],
        types=["f32", "f64", "f16"], max_bytes=1 << 18,
        arithmetic=[{"element_type": "f16", "accumulator": "storage"}],  # NumPy's sums
        refuses=[Exception])
