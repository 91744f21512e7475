# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Reproduces a defect of TVM: it accepts pads beside auto_pad, which ONNX forbids, and ignores them.

../README.md describes the defect.
"""
from one_tvm import run

for pads in ([0, 0], [1, 0]):
    print("VALID", pads, run(2, strides=[1], auto_pad="VALID", pads=pads))
