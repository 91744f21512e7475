# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Reproduces a defect of ONNX: a kernel_shape that contradicts the filter is accepted.

The filter of this ConvTranspose has 2 elements. Neither the checker nor the reference evaluator refuses kernel_shape 3.
../README.md describes the defect.
"""
import numpy
import onnx.checker
from one_conv_transpose import model
from onnx.reference import ReferenceEvaluator

for size in (2, 3):
    operator = model([1, 1, 3], [1, 1, 2], strides=[1], output_shape=[4], kernel_shape=[size])
    onnx.checker.check_model(operator, full_check=True)
    data = numpy.array([[[1, 2, 3]]], numpy.float32)
    print(f"kernel_shape [{size}]", ReferenceEvaluator(operator).run(None, {"X": data})[0].flatten().tolist())
