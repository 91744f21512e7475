# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Reproduces a defect of ONNX's reference evaluator: output_shape does not decide the pads.

The ConvTranspose has 7 outputs without pads. It must have 6 if output_shape says so. ../README.md describes the defect.
"""
import numpy
from one_conv_transpose import model
from onnx.reference import ReferenceEvaluator

for size in (7, 6):
    evaluator = ReferenceEvaluator(model([1, 1, 3], [1, 1, 3], strides=[2], output_shape=[size]))
    try:
        print(evaluator.run(None, {"X": numpy.ones([1, 1, 3], numpy.float32)})[0].shape)
    except ValueError as error:
        print(f"ValueError: {error} instead of (1, 1, {size})")
