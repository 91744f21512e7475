# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Reproduces a defect of LiteRT: two of three implementations of TRANSPOSE_CONV make infinities finite.

The data 1, inf, 3 and the filter 1, 10 must give 1, inf, inf, 30. ../README.md describes the defect.
"""
from one_litert import litert, run

RESOLVERS = {"XNNPACK": "AUTO", "built-in": "BUILTIN_WITHOUT_DEFAULT_DELEGATES", "reference": "BUILTIN_REF"}
for name, resolver in RESOLVERS.items():
    print(name, run([1, float("inf"), 3], [1, 10], 2, litert.OpResolverType[resolver]))
