# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""OpenVINO's front end for ONNX: a model with one ConvTranspose, read and run by OpenVINO.

    python3 -m deconv_backend openvino_onnx.py [--option device=CPU]

OpenVINO resolves the attributes itself. Choices of this adapter, not of OpenVINO:
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
    if min([*operator.data.dims, *operator.filter.dims], default=0) < 0:
        raise deconv_backend.Refused("a tensor cannot have a negative dimension")
    if data is None or filter is None:
        raise deconv_backend.Unsupported("too large, or of a type that NumPy does not have")
    read = CORE.read_model(io.BytesIO(deconv_backend.conv_transpose_model(operator, filter)))
    compiled = CORE.compile_model(read, DEVICE, {"INFERENCE_PRECISION_HINT": "f32"})
    return numpy.array(next(iter(compiled([data]).values())))


if __name__ == "__main__":
    CORE = openvino.Core()
    deconv_backend.serve(
        run=run, supports=supports, name=f"openvino-onnx-{DEVICE.lower()}", version=openvino.get_version()[:60],
        dialects=["onnx-11"], types=["f32", "f16", "f64"], refuses=[Exception])
