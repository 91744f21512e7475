# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Computes a ConvTranspose by TVM with pads beside auto_pad."""
from one_tvm import run

for pads in ([0, 0], [1, 0]):
    print("VALID", pads, run(2, strides=[1], auto_pad="VALID", pads=pads))
