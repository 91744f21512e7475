# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Reads an ONNX model with output_shape in OpenVINO, with one group and with two equal groups."""
from one_openvino_onnx import run

for groups in (1, 2):
    print(f"groups {groups}", run(groups, 3, 2, strides=[1], output_shape=[3], group=groups))
