# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Reads an ONNX model of one ConvTranspose in OpenVINO and runs it, for the reproducers openvino-onnx-*.py here."""
import io

import numpy
import openvino
from one_conv_transpose import model


def run(channels, size, kernel, **attributes):
    """Returns the first channel of the output. Each channel of the data is 1, 2, ... `size`; the filter has ones."""
    operator = model([1, channels, size], [channels, 1, kernel], **attributes)
    core = openvino.Core()
    compiled = core.compile_model(core.read_model(io.BytesIO(operator.SerializeToString())), "CPU")
    data = numpy.tile(numpy.arange(1, size + 1, dtype=numpy.float32), (1, channels, 1))
    return compiled([data])[0][0, 0].tolist()
