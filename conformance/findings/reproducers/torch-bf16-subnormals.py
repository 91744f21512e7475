# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Reproduces a defect of PyTorch's documentation: in bf16 oneDNN makes zero of subnormal numbers.

2^-130 is subnormal in bf16. The documents say that only set_flush_denormal makes zeros of such numbers. The program
does not call it. ../README.md describes the defect.
"""
import torch
from torch.nn.functional import conv_transpose1d

print("set_flush_denormal was not called")
data, weight = torch.full((1, 1, 1), 2.0**-130, dtype=torch.bfloat16), torch.ones(1, 1, 1, dtype=torch.bfloat16)
for enabled in (True, False):
    torch.backends.mkldnn.enabled = enabled
    print("conv_transpose1d", "with oneDNN" if enabled else "without", conv_transpose1d(data, weight).item())
print("data * weight", (data * weight).item())
