# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Reproduces a defect of OpenCV: the pads of SAME_UPPER ignore output_padding.

The first output has auto_pad SAME_UPPER, the second has the pads that it stands for, so both must be equal.
../README.md describes the defect.
"""
import cv2
import numpy
from one_conv_transpose import model

for name, attributes in (("SAME_UPPER", {"auto_pad": "SAME_UPPER"}), ("pads 1", {"pads": [0, 1, 0, 1]})):
    onnx = model([1, 1, 1, 3], [1, 1, 1, 3], strides=[1, 2], output_padding=[0, 1], **attributes).SerializeToString()
    net = cv2.dnn.readNetFromONNX(numpy.frombuffer(onnx, numpy.uint8))
    net.setInput(numpy.float32([1, 2, 3]).reshape(1, 1, 1, 3), "X")
    print(name, net.forward("Y").flatten().tolist())
