# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Reproduces a defect of MNN: infinities become the largest finite number. ../README.md describes it."""
from one_mnn import run

print(run([1.0, float("inf"), 3.0], [1.0, 10.0], strides=[1, 1]), "instead of [1.0, inf, inf, 30.0]")
