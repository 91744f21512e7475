# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Reproduces a defect of MNN: it accepts an output_padding of -1, which cuts the output. ../README.md describes it."""
from one_mnn import run

for padding in (0, -1):
    print(f"output_padding {padding}", run([1.0, 2.0, 3.0], [1.0, 10.0], strides=[1, 2], output_padding=[0, padding]))
