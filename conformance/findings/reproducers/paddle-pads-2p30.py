# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Computes conv1d_transpose of PaddlePaddle with a stride and pads of 2^30 - 8 and of 2^30."""
import paddle
from paddle.nn.functional import conv1d_transpose

data, filter = paddle.to_tensor([[[1.0, 2.0, 3.0]]]), paddle.to_tensor([[[1.0, 2.0, 3.0, 4.0, 5.0]]])
for far in (2**30 - 8, 2**30):
    try:
        print(far, conv1d_transpose(data, filter, stride=far, padding=far).flatten().tolist())
    except ValueError as error:
        print(far, str(error).split(".")[0])
