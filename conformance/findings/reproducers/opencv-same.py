# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Reproduces a defect of OpenCV: with SAME_UPPER and SAME_LOWER the output is too small.

ONNX says that the output has the size of the data times the stride. ../README.md describes the defect.
"""
import cv2
import numpy
from one_conv_transpose import model

for word in ("SAME_UPPER", "SAME_LOWER"):
    onnx = model([1, 1, 3, 3], [1, 1, 2, 2], strides=[2, 2], auto_pad=word).SerializeToString()
    net = cv2.dnn.readNetFromONNX(numpy.frombuffer(onnx, numpy.uint8))
    net.setInput(numpy.ones([1, 1, 3, 3], numpy.float32), "X")
    print(word, net.forward("Y").shape, "instead of (1, 1, 6, 6)")
