# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Reproduces a defect of MNN: it accepts pads beside auto_pad, which ONNX forbids.

Beside VALID it uses them, beside SAME_UPPER it ignores them. ../README.md describes the defect.
"""
from one_mnn import run

for auto_pad in ("VALID", "SAME_UPPER"):
    for pads in ([0, 0, 0, 0], [0, 1, 0, 0]):
        print(auto_pad, pads, run([1.0, 2.0, 3.0], [1.0, 10.0], strides=[1, 1], auto_pad=auto_pad, pads=pads))
