# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Reproduces a defect of MNN: the pads of SAME_UPPER ignore dilations and output_padding.

The program prints two pairs of outputs. The first of a pair has auto_pad, the second has the pads that auto_pad stands
for, so both must be equal. ../README.md describes the defect.
"""
from one_mnn import run

data, filter = [1.0, 2.0, 3.0], [1.0, 10.0, 100.0]
print("dilation 2:", run(data, filter, auto_pad="SAME_UPPER", strides=[1, 1], dilations=[1, 2]))
print("pads 2:", run(data, filter, strides=[1, 1], dilations=[1, 2], pads=[0, 2, 0, 2]))
print("output_padding 1:", run(data, filter, auto_pad="SAME_UPPER", strides=[1, 2], output_padding=[0, 1]))
print("pads 1:", run(data, filter, strides=[1, 2], output_padding=[0, 1], pads=[0, 1, 0, 1]))
