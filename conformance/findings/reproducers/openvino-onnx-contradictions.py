# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Reads ONNX models in OpenVINO whose attributes contradict the filter, or each other."""
import io

import numpy
import openvino
from one_conv_transpose import model

for attributes in ({"kernel_shape": [2]}, {"kernel_shape": [3]}, {"auto_pad": "VALID", "pads": [1, 0]}):
    operator = model([1, 1, 3], [1, 1, 2], strides=[1], **attributes)
    core = openvino.Core()
    compiled = core.compile_model(core.read_model(io.BytesIO(operator.SerializeToString())), "CPU")
    print(attributes, compiled([numpy.array([[[1, 2, 3]]], numpy.float32)])[0].flatten().tolist())
