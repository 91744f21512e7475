# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Reproduces a defect of PyTorch: it narrows a stride of 2^31 to 32 bits and refuses it as negative.

The output would have 7 elements. ../README.md describes the defect.
"""
import torch
from torch.nn.functional import conv_transpose1d

try:
    print(conv_transpose1d(torch.ones(1, 2, 3), torch.ones(2, 3, 5), stride=2**31, padding=2**31 - 2).shape)
except RuntimeError as error:
    print(error)
