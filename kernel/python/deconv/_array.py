# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""The function conv_transpose for NumPy arrays. It checks each argument, so that a wrong one is named. Then it takes
the plan (the prepared operator), packs the filter and runs the plan."""
from __future__ import annotations

import operator as python_operator
from typing import Any, Optional, Sequence, Union

import numpy

from deconv._library import MAX_RANK, TYPES
from deconv._plan import Attributes, Plan, Sizes, packing_scratch, plan_of

PerAxis = Union[int, Sequence[int]]  # one number for all spatial axes, or one for each
AUTO_PADS = ("explicit", "same_upper", "same_lower", "valid")


def check_array(name: str, array: Any) -> None:
    """Raises an error that names the argument, unless `array` is contiguous and of a type that the kernel has."""
    if not isinstance(array, numpy.ndarray):
        raise TypeError(f"{name} is {type(array).__name__}, expected a NumPy array")
    if array.dtype.name not in TYPES or not array.dtype.isnative:
        raise TypeError(f"{name} has elements of {array.dtype}, expected one of {', '.join(TYPES)}")
    if not array.flags.c_contiguous:
        raise ValueError(f"{name} is not contiguous, and arrays are not copied; pass numpy.ascontiguousarray({name})")


def per_axis(name: str, value: PerAxis, axes: int) -> Sizes:
    """Returns one number for each spatial axis; a single number counts for all of them."""
    try:
        return (python_operator.index(value),) * axes  # type: ignore[arg-type]
    except TypeError:
        pass
    try:
        values = tuple(python_operator.index(v) for v in value)  # type: ignore[union-attr]
    except TypeError:
        raise TypeError(f"{name} is {value!r}, expected an integer or a list of integers") from None
    if len(values) != axes:
        raise ValueError(f"{name} has {len(values)} values, expected {axes}: one for each spatial axis of the filter")
    return values


def check_filter(filter: Any, groups: int) -> int:
    """Checks type, axes and groups of a filter, and returns its number of spatial axes."""
    check_array("filter", filter)
    if not 3 <= filter.ndim <= MAX_RANK:
        raise ValueError(f"filter has {filter.ndim} axes, expected 3 to {MAX_RANK}: [C_IN, C_OUT / groups, spatial...]")
    if isinstance(groups, bool) or not isinstance(groups, (int, numpy.integer)) or groups < 1:
        raise ValueError(f"groups is {groups!r}, expected an integer of 1 or more")
    if filter.shape[0] % groups:
        raise ValueError(f"groups is {groups}, which does not divide the {filter.shape[0]} input channels of filter")
    return filter.ndim - 2


def attributes_of(filter: Any, strides: PerAxis, pads_begin: PerAxis, pads_end: PerAxis, dilations: PerAxis, groups: int,
                  output_padding: PerAxis, output_shape: Optional[PerAxis], auto_pad: Optional[str], layout: str,
                  algorithm: Optional[str], target: Optional[str]) -> Attributes:
    """Checks the arguments of conv_transpose that do not depend on the data, and returns one value for each axis."""
    axes = check_filter(filter, groups)
    if layout not in ("ncx", "nxc"):
        raise ValueError(f'layout is {layout!r}, expected "ncx" or "nxc"')
    if auto_pad is not None and auto_pad not in AUTO_PADS:
        raise ValueError(f"auto_pad is {auto_pad!r}, expected one of {', '.join(AUTO_PADS)}")
    return Attributes(
        strides=per_axis("strides", strides, axes), dilations=per_axis("dilations", dilations, axes),
        pads_begin=per_axis("pads_begin", pads_begin, axes), pads_end=per_axis("pads_end", pads_end, axes),
        output_padding=per_axis("output_padding", output_padding, axes), groups=int(groups),
        output_shape=None if output_shape is None else per_axis("output_shape", output_shape, axes),
        auto_pad=auto_pad, layout=layout, algorithm=algorithm, target=target)


def plan_for(data: Any, filter: Any, attributes: Attributes) -> Plan:
    """Checks the data, and returns the plan of the operator. The filter and the attributes are already checked."""
    check_array("data", data)
    if data.dtype != filter.dtype:
        raise TypeError(f"data has elements of {data.dtype} and filter of {filter.dtype}, expected the same type")
    if data.ndim != filter.ndim:
        raise ValueError(f"data has {data.ndim} axes and filter {filter.ndim}, expected the same number")
    # The plan wants the shape [N, C, spatial...], whatever the layout in memory is.
    shape = data.shape if attributes.layout == "ncx" else (data.shape[0], data.shape[-1], *data.shape[1:-1])
    if shape[1] != filter.shape[0]:
        raise ValueError(f"data has {shape[1]} channels, expected the {filter.shape[0]} input channels of filter")
    return plan_of(data.dtype.name, shape, filter.shape, attributes)


def run(plan: Plan, data: Any, packed: Any, out: Optional[Any], threads: int) -> Any:
    """Checks `threads` and `out`, runs the plan with a packed filter, and returns the output: `out`, or a new array."""
    if isinstance(threads, bool) or not isinstance(threads, int) or not 1 <= threads <= 1024:
        raise ValueError(f"threads is {threads!r}, expected an integer from 1 to 1024")
    if out is None:
        out = numpy.empty(plan.output_shape, data.dtype)
    else:
        check_array("out", out)
        if out.shape != plan.output_shape or out.dtype != data.dtype:
            raise ValueError(f"out is {list(out.shape)} of {out.dtype}, expected {list(plan.output_shape)} of {data.dtype}")
        if not out.flags.writeable:
            raise ValueError("out is read-only, expected an array that can be written")
        if numpy.may_share_memory(out, data):
            raise ValueError("out overlaps data, expected memory of its own")
    plan.run(data, packed, out, threads)
    return out


def conv_transpose(data: Any, filter: Any, *, strides: PerAxis = 1, pads_begin: PerAxis = 0, pads_end: PerAxis = 0,
                   dilations: PerAxis = 1, groups: int = 1, output_padding: PerAxis = 0,
                   output_shape: Optional[PerAxis] = None, auto_pad: Optional[str] = None, layout: str = "ncx",
                   algorithm: Optional[str] = None, target: Optional[str] = None, threads: int = 1,
                   out: Optional[Any] = None) -> Any:
    """Transposed convolution of `data`, [N, C_IN, spatial...], by `filter`, [C_IN, C_OUT / groups, spatial...].

    strides, pads_begin, pads_end, dilations, output_padding: one number, or one for each spatial axis. A pad crops
    outputs. output_shape and auto_pad mean what the document of OpenVINO's ConvolutionBackpropData-1 says.
    layout: "ncx", or "nxc" for data and output with the channels last; the filter stays as it is.
    algorithm, target: force an algorithm or an instruction set of the kernel, one of targets().
    threads: how many threads share the work. out: an array for the output, which is also returned.

    The plan of an operator is made once and kept. The filter is packed in every call: for a filter that stays the same,
    use the class ConvTranspose.
    """
    attributes = attributes_of(filter, strides, pads_begin, pads_end, dilations, groups, output_padding, output_shape,
                               auto_pad, layout, algorithm, target)
    plan = plan_for(data, filter, attributes)
    packed = packing_scratch(plan.packed_bytes)
    plan.pack(filter, packed)
    return run(plan, data, packed, out, threads)
