# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Reproduces a defect of ONNX's reference evaluator: it fails on groups of several output channels.

The ConvTranspose has two groups with two output channels each. ../README.md describes the defect.
"""
import numpy
from one_conv_transpose import model
from onnx.reference import ReferenceEvaluator

try:
    evaluator = ReferenceEvaluator(model([1, 2, 2], [2, 2, 1], group=2))
    print(evaluator.run(None, {"X": numpy.ones([1, 2, 2], numpy.float32)})[0].shape, "instead of (1, 4, 2)")
except ValueError as error:
    print(f"ValueError: {error} instead of (1, 4, 2)")
