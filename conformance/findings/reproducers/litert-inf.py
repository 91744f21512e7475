# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Computes a TRANSPOSE_CONV of LiteRT with an infinite element, by XNNPACK and by the built-in kernels."""
from one_litert import litert, run

for name, resolver in (("XNNPACK", "AUTO"), ("built-in", "BUILTIN_WITHOUT_DEFAULT_DELEGATES"), ("reference", "BUILTIN_REF")):
    print(name, run([1, float("inf"), 3], [1, 10], 2, litert.OpResolverType[resolver]))
