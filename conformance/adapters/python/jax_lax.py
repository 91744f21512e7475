# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Makes JAX a backend (a library under test) of deconv-cts, the test suite for transposed convolutions.

    python3 -m deconv_backend jax_lax.py

The suite calls deconv() with sizes and pads that it has computed (class Geometry of deconv_backend/operators.py). Each
operator is a jitted call of jax.lax.conv_general_dilated with lhs_dilation, on the CPU. jax.lax.conv_transpose makes
the same call, and has no groups.

Choices of this adapter, not of JAX:
- lhs_dilation is the stride, and rhs_dilation the dilation. The filter is reversed along its spatial axes.
- The padding at the beginning is d*(k-1) - pads_begin. The padding at the end is chosen so that the output has the size
  of the geometry.
- XLA flushes subnormal numbers on a CPU. It also multiplies the zeros that lhs_dilation inserts between the data, and
  infinity * 0 is NaN. The adapter declares both.
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
    """Returns a jitted function of data [N, C, spatial...] and filter [C/G, O, spatial...], compiled at its first call.

    `padding` has a pair (before, after) for each spatial axis. 64 functions are kept (a guess).
    """
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
        # The call is a plain convolution of stride 1 over the spread and padded data, with the output size
        # spread + before + after - reach. It is solved for `after`. Example: data 3, kernel 3, stride 2, pads_begin 1
        # and output 6 give reach 2, spread 5 and the padding (1, 2).
        reach = dilation * (kernel - 1)
        spread = stride * (size - 1) + 1 if size else 0  # the size of the data with the zeros of lhs_dilation
        before = reach - begin
        after = output - spread - before + reach
        padding.append((before, after))
    call = function_of(geometry.strides, geometry.dilations, tuple(padding), geometry.groups)
    return numpy.asarray(call(data, weights))


if __name__ == "__main__":
    jax.config.update("jax_enable_x64", True)
    deconv_backend.serve(
        deconv, name="jax", version=jax.__version__, bf16="ml_dtypes", max_attribute=2**31 - 1, types=TYPES,
        subnormals="flushed", known_deviations=["structural-nan"])
