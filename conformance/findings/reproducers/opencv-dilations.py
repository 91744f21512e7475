# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Runs a ConvTranspose with dilations of 2 by OpenCV, and prints the shape of the output."""
import cv2
import numpy
from one_conv_transpose import model

net = cv2.dnn.readNetFromONNX(numpy.frombuffer(model([1, 1, 3, 3], [1, 1, 2, 2], dilations=[2, 2]).SerializeToString(), numpy.uint8))
net.setInput(numpy.ones([1, 1, 3, 3], numpy.float32), "X")
print(net.forward("Y").shape, "instead of (1, 1, 5, 5)")
