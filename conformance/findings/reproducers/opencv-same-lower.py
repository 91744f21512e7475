# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Reproduces a defect of OpenCV: it computes SAME_LOWER as SAME_UPPER.

One of 4 elements is cut. SAME_UPPER cuts the last one. SAME_LOWER must cut the first one, which gives 3, 5, 3.
../README.md describes the defect.
"""
import cv2
import numpy
from one_conv_transpose import model

for word in ("SAME_UPPER", "SAME_LOWER"):
    onnx = model([1, 1, 1, 3], [1, 1, 1, 2], strides=[1, 1], auto_pad=word).SerializeToString()
    net = cv2.dnn.readNetFromONNX(numpy.frombuffer(onnx, numpy.uint8))
    net.setInput(numpy.array([[[[1, 2, 3]]]], numpy.float32), "X")
    print(word, net.forward("Y").flatten().tolist())
