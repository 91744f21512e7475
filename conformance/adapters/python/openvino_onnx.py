# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Makes OpenVINO's front end for ONNX a backend (a library under test) of deconv-cts, the test suite for transposed
convolutions.

    python3 -m deconv_backend openvino_onnx.py [--option device=CPU]

The suite calls run() with the attributes as a model has them (class Operator of deconv_backend/operators.py). OpenVINO
resolves them itself. It reads and runs an ONNX model with one ConvTranspose. The adapter open_vino.py uses OpenVINO's
own format instead.

Choices of this adapter, not of OpenVINO:
- An attribute that the operator does not have is left out. The filter is an initializer.
- A device may compute f32 in a smaller type. The adapter asks for f32 (INFERENCE_PRECISION_HINT), as users can.
"""
import io

import deconv_backend
import numpy
import openvino

DEVICE = deconv_backend.option("device", "CPU")
supports = deconv_backend.supports_conv_transpose


def run(operator, data, filter):
    if reason := supports(operator):
        raise deconv_backend.Unsupported(reason)
    deconv_backend.refuse_negative_dims(operator)
    if data is None or filter is None:
        raise deconv_backend.Unsupported("too large, or of a type that NumPy does not have")
    model = CORE.read_model(io.BytesIO(deconv_backend.conv_transpose_model(operator, filter)))
    compiled = CORE.compile_model(model, DEVICE, {"INFERENCE_PRECISION_HINT": "f32"})
    return numpy.array(next(iter(compiled([data]).values())))


if __name__ == "__main__":
    CORE = openvino.Core()
    deconv_backend.serve(
        run=run, supports=supports, name=f"openvino-onnx-{DEVICE.lower()}", version=openvino.get_version()[:60],
        dialects=["onnx-11"], types=["f32", "f16", "f64"], refuses=[Exception])
