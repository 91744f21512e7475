# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Reproduces a defect of LiteRT: CONV_3D_TRANSPOSE makes the largest finite number of an infinity.

../README.md describes the defect.
"""
from one_litert import litert, run

print(run([1, float("inf"), 3], [1, 10], 3, litert.OpResolverType.AUTO), "instead of [1.0, inf, inf, 30.0]")
