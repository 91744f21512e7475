# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Reads ONNX models with SAME_UPPER and SAME_LOWER in OpenVINO, with kernels of 1 to 3 and a stride of 3."""
from one_openvino_onnx import run

for kernel in (1, 2, 3):
    for auto_pad in ("SAME_UPPER", "SAME_LOWER"):
        print(f"kernel {kernel} {auto_pad}", run(1, 2, kernel, strides=[3], auto_pad=auto_pad))
