# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Runs a ConvTranspose with a kernel of 1 and pads by OpenCV, and prints the output."""
import cv2
import numpy
from one_conv_transpose import model

net = cv2.dnn.readNetFromONNX(numpy.frombuffer(model([1, 1, 3, 3], [1, 1, 1, 1], pads=[1, 0, 1, 0]).SerializeToString(), numpy.uint8))
net.setInput(numpy.arange(1, 10, dtype=numpy.float32).reshape(1, 1, 3, 3), "X")
print(net.forward("Y").flatten().tolist(), "instead of [4.0, 5.0, 6.0]")
