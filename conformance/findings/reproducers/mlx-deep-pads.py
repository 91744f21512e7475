# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Reproduces a defect of MLX: pads as large as the kernel cut too much of the output.

The stride is 2. Each step of `padding` cuts one element at each end, so a padding of 2 must give 2, 20, 3, 30.
../README.md describes the defect.
"""
import mlx.core as mx

mx.set_default_device(mx.cpu)
data, filter = mx.array([[[1.0], [2.0], [3.0], [4.0]]]), mx.array([[[1.0], [10.0]]])
for padding in (0, 1, 2):
    print("padding", padding, mx.conv_transpose1d(data, filter, stride=2, padding=padding).flatten().tolist())
