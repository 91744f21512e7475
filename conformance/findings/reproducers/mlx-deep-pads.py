# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Computes mlx.core.conv_transpose1d with a stride of 2 and pads of the kernel's extent."""
import mlx.core as mx

mx.set_default_device(mx.cpu)
x, w = mx.array([[[1.0], [2.0], [3.0], [4.0]]]), mx.array([[[1.0], [10.0]]])
for padding in (0, 1, 2):
    print("padding", padding, mx.conv_transpose1d(x, w, stride=2, padding=padding).flatten().tolist())
