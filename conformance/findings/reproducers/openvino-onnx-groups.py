# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Reproduces a defect of OpenVINO's reader of ONNX models: with groups, output_shape places the output wrongly.

Each of the two groups has the data and the filter of the model with one group, so both lines must be equal.
../README.md describes the defect.
"""
from one_openvino_onnx import run

for groups in (1, 2):
    print(f"groups {groups}", run(groups, 3, 2, strides=[1], output_shape=[3], group=groups))
