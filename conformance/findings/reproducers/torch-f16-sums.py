# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Sums four products by conv_transpose1d of PyTorch without oneDNN in f16 and bf16, and in f64."""
import torch
from torch.nn.functional import conv_transpose1d

torch.backends.mkldnn.enabled = False
for dtype, large in ((torch.float16, 2048), (torch.bfloat16, 256)):
    data = torch.ones(1, 1, 4, dtype=dtype)
    filter = torch.tensor([[[large, 1, 1, 1]]], dtype=dtype)
    output = conv_transpose1d(data, filter)[0, 0, 3].item()
    exact = conv_transpose1d(data.double(), filter.double())[0, 0, 3]
    print(dtype, output, "instead of", exact.to(dtype).item())
