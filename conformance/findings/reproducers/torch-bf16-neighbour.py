# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Reproduces a defect of PyTorch with oneDNN: in bf16 a NaN spreads to other pixels.

The image has ones, and a NaN in row 2 and column 2. The program prints row 2 of the outputs of conv_transpose2d and of
conv2d. Column 1 of the former, and column 0 of the latter, are sums of pixels in columns 0 and 1, so they must be
finite. ../README.md describes the defect.
"""
import torch
from torch.nn.functional import conv2d, conv_transpose2d

image = torch.ones(1, 3, 4, 4, dtype=torch.bfloat16).to(memory_format=torch.channels_last)
image[0, :, 2, 2] = float("nan")
for function, weight in ((conv_transpose2d, torch.ones(3, 1, 2, 2)), (conv2d, torch.ones(1, 3, 2, 2))):
    for enabled in (True, False):
        torch.backends.mkldnn.enabled = enabled
        row = function(image, weight.bfloat16())[0, 0, 2].tolist()
        print(function.__name__, "with oneDNN" if enabled else "without", row)
