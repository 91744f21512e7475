# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Computes ConvTransposes of MNN with auto_pad SAME_UPPER, dilations and output_padding."""
from one_mnn import run

data, filter = [1.0, 2.0, 3.0], [1.0, 10.0, 100.0]
print("dilation 2:", run(data, filter, auto_pad="SAME_UPPER", strides=[1, 1], dilations=[1, 2]))
print("pads 2:", run(data, filter, strides=[1, 1], dilations=[1, 2], pads=[0, 2, 0, 2]))
print("output_padding 1:", run(data, filter, auto_pad="SAME_UPPER", strides=[1, 2], output_padding=[0, 1]))
print("pads 1:", run(data, filter, strides=[1, 2], output_padding=[0, 1], pads=[0, 1, 0, 1]))
