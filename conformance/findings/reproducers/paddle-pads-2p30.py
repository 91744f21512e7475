# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Reproduces a defect of PaddlePaddle: it adds the sizes and pads of an axis in 32 bits.

With a stride and pads of 2^30 each argument fits 32 bits, and their sum does not. Both outputs must be 2, 4, 6, 8, 10:
the second element of the data times each weight. ../README.md describes the defect.
"""
import paddle
from paddle.nn.functional import conv1d_transpose

data, filter = paddle.to_tensor([[[1.0, 2.0, 3.0]]]), paddle.to_tensor([[[1.0, 2.0, 3.0, 4.0, 5.0]]])
for stride in (2**30 - 8, 2**30):
    try:
        print(stride, conv1d_transpose(data, filter, stride=stride, padding=stride).flatten().tolist())
    except ValueError as error:
        print(stride, str(error).split(".")[0])
