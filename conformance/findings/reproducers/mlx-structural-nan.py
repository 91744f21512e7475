# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Computes mlx.core.conv_transpose1d on one element, with an infinite weight."""
import mlx.core as mx

mx.set_default_device(mx.cpu)
x, w = mx.array([[[2.0]]]), mx.array([[[1.0], [float("inf")], [1.0]]])
print(mx.conv_transpose1d(x, w).flatten().tolist(), "instead of [2.0, inf, 2.0]")
