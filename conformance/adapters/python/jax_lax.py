# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""JAX: jax.lax.conv_general_dilated with lhs_dilation, jitted, on the CPU.

    python3 -m deconv_backend jax_lax.py

jax.lax.conv_transpose makes the same call, and has no groups. Choices of this adapter, not of JAX:
- lhs_dilation is the stride, and rhs_dilation the dilation. The filter's taps are reversed.
- The padding at the beginning is d*(k-1) - pads_begin. The padding at the end is chosen so that the output has the size
  of the geometry.
- XLA flushes subnormal numbers on a CPU, and multiplies the zeros between the data. The adapter declares both.
"""
import functools
import os

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import deconv_backend  # noqa: E402
import jax  # noqa: E402
import numpy  # noqa: E402
from jax import lax  # noqa: E402

AXES = {1: "W", 2: "HW", 3: "DHW"}
TYPES = ["f32", "f64", "f16", "bf16", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"]


@functools.lru_cache(maxsize=64)
def function_of(strides, dilations, padding, groups):
    """Returns a jitted function of data and filter. 64 functions are kept (a guess)."""
    rank = len(strides)
    layouts = ("NC" + AXES[rank], "IO" + AXES[rank], "NC" + AXES[rank])
    return jax.jit(lambda x, w: lax.conv_general_dilated(
        x, lax.rev(w, tuple(range(2, rank + 2))), (1,) * rank, padding, lhs_dilation=strides, rhs_dilation=dilations,
        dimension_numbers=layouts, feature_group_count=groups))


def deconv(data, filter, geometry):
    # [G, C/G, O/G, spatial...] becomes [C/G, G*O/G, spatial...].
    weights = numpy.moveaxis(filter, 0, 1).reshape([filter.shape[1], geometry.out_channels, *geometry.kernel])
    padding = []
    for stride, dilation, size, kernel, begin, output in zip(geometry.strides, geometry.dilations, geometry.data,
                                                             geometry.kernel, geometry.pads_begin, geometry.output):
        reach = dilation * (kernel - 1)
        before = reach - begin
        spread = stride * (size - 1) + 1 if size else 0  # the size of the data with the zeros of lhs_dilation
        padding.append((before, output - spread - before + reach))
    call = function_of(geometry.strides, geometry.dilations, tuple(padding), geometry.groups)
    return numpy.asarray(call(data, weights))


if __name__ == "__main__":
    jax.config.update("jax_enable_x64", True)
    deconv_backend.serve(
        deconv, name="jax", version=jax.__version__, bf16="ml_dtypes", max_attribute=2**31 - 1, types=TYPES,
        subnormals="flushed", known_deviations=["structural-nan"])
