# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Transposed convolution of NumPy arrays by the kernel of deconv-cts.

    import deconv, numpy
    data = numpy.ones((1, 8, 16, 16), numpy.float32)
    filter = numpy.ones((8, 4, 3, 3), numpy.float32)
    output = deconv.conv_transpose(data, filter, strides=2, pads_begin=1, pads_end=1)

    layer = deconv.ConvTranspose(filter, strides=2, pads_begin=1, pads_end=1)   # packs the filter once
    output = layer(data)

The formula is output[s*i + d*k - pads_begin] += data[i] * filter[k] along each spatial axis. The filter has the shape
[C_IN, C_OUT / groups, spatial...], as in PyTorch and ONNX. Arrays are not copied; the GIL is released while the kernel
computes. A wrong argument is a ValueError that names it.
"""
from __future__ import annotations

from deconv._array import conv_transpose
from deconv._layer import ConvTranspose
from deconv._library import LIBRARY, call

__all__ = ["ConvTranspose", "conv_transpose", "selftest", "targets"]
__version__: str = LIBRARY.deconv_version().decode()


def targets() -> list[str]:
    """The instruction sets that the kernel has for this machine, the best one first."""
    names: list[str] = []
    while (name := LIBRARY.deconv_target(len(names))) is not None:
        names.append(name.decode())
    return names


def selftest() -> None:
    """Runs small built-in cases on every instruction set in less than a second; a wrong output is a ValueError."""
    call("deconv_selftest")
