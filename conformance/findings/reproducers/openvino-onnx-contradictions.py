# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Reads ONNX models in OpenVINO whose attributes contradict the filter, or each other."""
from one_openvino_onnx import run

for attributes in ({"kernel_shape": [2]}, {"kernel_shape": [3]}, {"auto_pad": "VALID", "pads": [1, 0]}):
    print(attributes, run(1, 3, 2, strides=[1], **attributes))
