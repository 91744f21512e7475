# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Reproduces a defect of OpenVINO's reader of ONNX models: auto_pad SAME gives too small outputs.

ONNX says that the output has the size of the data times the stride, here 6. With kernels of 1 and 2 it has 4 and 5.
../README.md describes the defect.
"""
from one_openvino_onnx import run

for kernel in (1, 2, 3):
    for auto_pad in ("SAME_UPPER", "SAME_LOWER"):
        print(f"kernel {kernel} {auto_pad}", run(1, 2, kernel, strides=[3], auto_pad=auto_pad))
