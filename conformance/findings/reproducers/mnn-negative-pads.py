# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Reproduces a defect of MNN: it accepts a pad of -1, although ONNX forbids negative pads.

../README.md describes the defect.
"""
from one_mnn import run

print(run([1.0, 2.0, 3.0], [1.0, 10.0], strides=[1, 1], pads=[0, -1, 0, 0]))
