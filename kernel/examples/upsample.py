#!/usr/bin/env python3
# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Shows how to use the kernel from Python: enlarges a plane of 4x4 values to 8x8 by bilinear interpolation.

    PYTHONPATH=FOLDER upsample.py

FOLDER has the package deconv: share/deconv/python of an installation, kernel/python of the sources. A wheel needs no
PYTHONPATH. DECONV_LIBRARY names libdeconv.so, if it is neither beside the package nor where the system looks.
"""
import deconv
import numpy

# Weights of linear interpolation: each output takes 3/4 of its nearer neighbour and 1/4 of the other one.
tent = numpy.array([0.25, 0.75, 0.75, 0.25], numpy.float32)
layer = deconv.ConvTranspose(numpy.outer(tent, tent).reshape(1, 1, 4, 4), strides=2, pads_begin=1, pads_end=1)
data = numpy.arange(16, dtype=numpy.float32).reshape(1, 1, 4, 4)
output = layer(data)
print(f"output 8x8 by {layer.plan(data).algorithm}")
for row in output[0, 0]:
    print(*(f"{value:g}" for value in row))
