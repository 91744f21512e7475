# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Runs a ConvTranspose of OpenCV with SAME_UPPER and with SAME_LOWER, and prints the output."""
import cv2
import numpy
from one_conv_transpose import model

for word in ("SAME_UPPER", "SAME_LOWER"):
    onnx = model([1, 1, 1, 3], [1, 1, 1, 2], strides=[1, 1], auto_pad=word).SerializeToString()
    net = cv2.dnn.readNetFromONNX(numpy.frombuffer(onnx, numpy.uint8))
    net.setInput(numpy.array([[[[1, 2, 3]]]], numpy.float32), "X")
    print(word, net.forward("Y").flatten().tolist())
