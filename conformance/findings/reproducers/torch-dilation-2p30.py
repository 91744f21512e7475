# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Reproduces a defect of PyTorch: it computes the extent of a dilated kernel in 32 bits.

A dilation of 2^30 gives a kernel of 3 an extent of 2^31 + 1. The output has 9 elements, as with 2^30 - 1. ../README.md
describes the defect.
"""
import torch
from torch.nn.functional import conv_transpose1d

data, filter = torch.ones(1, 1, 5), torch.ones(1, 1, 3)
for dilation in (2**30 - 1, 2**30):
    try:
        print(dilation, conv_transpose1d(data, filter, dilation=dilation, padding=dilation - 2).flatten().tolist())
    except RuntimeError as error:
        print(dilation, error)
