# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Reproduces a defect of OpenVINO's reader of ONNX models: it accepts attributes that contradict.

The filter has 2 elements, so kernel_shape [3] is wrong. Pads beside auto_pad VALID are forbidden. ../README.md
describes the defect.
"""
from one_openvino_onnx import run

for attributes in ({"kernel_shape": [2]}, {"kernel_shape": [3]}, {"auto_pad": "VALID", "pads": [1, 0]}):
    print(attributes, run(1, 3, 2, strides=[1], **attributes))
