# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Reproduces a defect of PyTorch without oneDNN: it sums f16 and bf16 in 16 bits.

Beside 2048 (f16) and 256 (bf16) a 1 is half of the last place, and is rounded away, so that three ones are lost. A sum
in f32 would keep them. ../README.md describes the defect.
"""
import torch
from torch.nn.functional import conv_transpose1d

torch.backends.mkldnn.enabled = False
for dtype, large in ((torch.float16, 2048), (torch.bfloat16, 256)):
    data = torch.ones(1, 1, 4, dtype=dtype)
    filter = torch.tensor([[[large, 1, 1, 1]]], dtype=dtype)
    output = conv_transpose1d(data, filter)[0, 0, 3].item()
    exact = conv_transpose1d(data.double(), filter.double())[0, 0, 3]
    print(dtype, output, "instead of", exact.to(dtype).item())
