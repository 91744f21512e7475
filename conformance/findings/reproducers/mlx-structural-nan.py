# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Reproduces a defect of MLX: an infinite weight makes NaN of products that do not exist.

With one element of data, each output is that element times one weight. MLX also multiplies the infinite weight by zeros
of padding. ../README.md describes the defect.
"""
import mlx.core as mx

mx.set_default_device(mx.cpu)
data, filter = mx.array([[[2.0]]]), mx.array([[[1.0], [float("inf")], [1.0]]])
print(mx.conv_transpose1d(data, filter).flatten().tolist(), "instead of [2.0, inf, 2.0]")
