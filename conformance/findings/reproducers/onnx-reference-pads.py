# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Reproduces a defect of ONNX's reference evaluator: it uses pads beside output_shape.

ONNX says that output_shape decides the pads, and that the attribute pads is then ignored. So both outputs must be
equal. ../README.md describes the defect.
"""
import numpy
from one_conv_transpose import model
from onnx.reference import ReferenceEvaluator

for pads in ([0, 0], [1, 0]):
    evaluator = ReferenceEvaluator(model([1, 1, 3], [1, 1, 2], strides=[2], output_shape=[6], pads=pads))
    data = numpy.array([[[1, 2, 3]]], numpy.float32)
    print(f"pads {pads}", evaluator.run(None, {"X": data})[0].flatten().tolist())
