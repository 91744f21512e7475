# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Computes conv_transpose1d of PyTorch with one infinite weight, with and without oneDNN."""
import torch
from torch.nn.functional import conv_transpose1d

data, weight = torch.ones(2, 1, 1), torch.ones(1, 1, 6)
weight[0, 0, 0] = float("inf")
for enabled in (True, False):
    torch.backends.mkldnn.enabled = enabled
    print("oneDNN" if enabled else "without", conv_transpose1d(data, weight, stride=4)[0, 0].tolist())
