# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Reproduces a defect of PyTorch with oneDNN: an infinite weight makes NaN where it does not contribute.

With one element of data, each output is that element times one weight, and only weight 0 is infinite. ../README.md
describes the defect.
"""
import torch
from torch.nn.functional import conv_transpose1d

data, weight = torch.ones(2, 1, 1), torch.ones(1, 1, 6)
weight[0, 0, 0] = float("inf")
for enabled in (True, False):
    torch.backends.mkldnn.enabled = enabled
    print("oneDNN" if enabled else "without", conv_transpose1d(data, weight, stride=4)[0, 0].tolist())
