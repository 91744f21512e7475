# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Computes conv_transpose1d of PyTorch with a dilation of 2^30 - 1 and of 2^30."""
import torch
from torch.nn.functional import conv_transpose1d

for far in (2**30 - 1, 2**30):
    try:
        print(far, conv_transpose1d(torch.ones(1, 1, 5), torch.ones(1, 1, 3), dilation=far, padding=far - 2).flatten().tolist())
    except RuntimeError as error:
        print(far, error)
