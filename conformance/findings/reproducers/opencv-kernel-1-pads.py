# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Reproduces a defect of OpenCV: with a kernel of 1, pads do not choose which elements remain.

The pads cut the first and the last of three rows. The output has the values of the first row instead of the second.
../README.md describes the defect.
"""
import cv2
import numpy
from one_conv_transpose import model

onnx = model([1, 1, 3, 3], [1, 1, 1, 1], pads=[1, 0, 1, 0]).SerializeToString()
net = cv2.dnn.readNetFromONNX(numpy.frombuffer(onnx, numpy.uint8))
net.setInput(numpy.arange(1, 10, dtype=numpy.float32).reshape(1, 1, 3, 3), "X")
print(net.forward("Y").flatten().tolist(), "instead of [4.0, 5.0, 6.0]")
