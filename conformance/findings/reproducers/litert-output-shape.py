# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Reproduces a defect of LiteRT: XNNPACK takes output shapes that do not fit the data.

With 3 elements of data, a kernel of 3 and a stride of 2, the output of a TRANSPOSE_CONV has 7 or 8 elements. LiteRT's
reference implementation refuses other sizes. ../README.md describes the defect.
"""
from one_litert import litert, run

for name, resolver in (("XNNPACK", litert.OpResolverType.AUTO), ("reference", litert.OpResolverType.BUILTIN_REF)):
    for size in (6, 7, 8, 9):
        try:
            print(f"{name}: output_shape {size} gives {run([1, 2, 3], [1, 1, 1], 2, resolver, stride=2, size=size)}")
        except RuntimeError:
            print(f"{name}: output_shape {size} is refused")
