# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Reproduces a defect of OpenCV: its ConvTranspose ignores dilations. ../README.md describes it."""
import cv2
import numpy
from one_conv_transpose import model

onnx = model([1, 1, 3, 3], [1, 1, 2, 2], dilations=[2, 2]).SerializeToString()
net = cv2.dnn.readNetFromONNX(numpy.frombuffer(onnx, numpy.uint8))
net.setInput(numpy.ones([1, 1, 3, 3], numpy.float32), "X")
print(net.forward("Y").shape, "instead of (1, 1, 5, 5)")
