# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Reproduces a defect of TVM: it accepts negative pads, which ONNX forbids, and a negative output_padding.

../README.md describes the defect.
"""
from one_tvm import run

print("pads [-1, 0]", run(2, strides=[2], pads=[-1, 0]))
print("output_padding -1", run(2, strides=[2], output_padding=[-1]))
