# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Converts the bytes of tensors to NumPy arrays, and arrays between the layouts of data, filter and output.

NumPy has no bf16. An array of bf16 has dtype uint16, which holds the upper halves of f32, or ml_dtypes' bfloat16 if the
adapter asks for it.
"""
import math

import numpy

from deconv_backend.answers import Refused, Unsupported

MOST_TRIED = 1 << 22  # elements of a tensor that is tried with zeros in place of its values; a guess
DTYPES = {
    "f64": numpy.dtype("<f8"), "f32": numpy.dtype("<f4"), "f16": numpy.dtype("<f2"), "bf16": numpy.dtype("<u2"),
    "i8": numpy.dtype("<i1"), "i16": numpy.dtype("<i2"), "i32": numpy.dtype("<i4"), "i64": numpy.dtype("<i8"),
    "u8": numpy.dtype("<u1"), "u16": numpy.dtype("<u2"), "u32": numpy.dtype("<u4"), "u64": numpy.dtype("<u8"),
    "boolean": numpy.dtype("?"),
}


def dtype_of(element_type, bf16="uint16"):
    """Returns the dtype of an element type of the protocol. `bf16` is "uint16" or "ml_dtypes"."""
    if element_type == "bf16" and bf16 == "ml_dtypes":
        import ml_dtypes
        return numpy.dtype(ml_dtypes.bfloat16)
    return DTYPES[element_type]


def has_array(element_type, dims):
    """Whether NumPy has an array of these dimensions. It counts a dimension of 0 as 1."""
    return len(dims) <= 32 and math.prod(max(dim, 1) for dim in dims) * DTYPES[element_type].itemsize < 1 << 63


def array_of(content, element_type, dims, bf16="uint16"):
    """Returns the bytes of a tensor as an array, or None if they were not sent. The array can be written."""
    if element_type not in DTYPES or min(dims, default=0) < 0:
        return None
    dtype = dtype_of(element_type, bf16)
    if math.prod(dims) * dtype.itemsize != len(content):
        return None  # large tensors of invalid operators come without their bytes
    try:
        return numpy.frombuffer(content, dtype).reshape(dims)
    except ValueError:  # more dimensions than NumPy has, or an empty tensor whose other dims are too large
        return None


def filled(array, tensor, role, types):
    """Returns the array of an input, or zeros for a large tensor of an invalid operator, which comes without its values.

    Raises Refused if no array has the dimensions, or if the type is none of `types`, and Unsupported if the tensor is too
    large to be tried. `role` is the name of the input in the message.
    """
    if array is not None:
        return array
    if min(tensor.dims, default=0) < 0 or tensor.element_type not in types:
        raise Refused(f"{role}: no array of type {tensor.element_type} with dims {tensor.dims}")
    if math.prod(tensor.dims) > MOST_TRIED:
        raise Unsupported(f"{role}: too large to be tried")
    return numpy.zeros(tensor.dims, dtype_of(tensor.element_type))


def refuse_negative_dims(operator):
    """Raises Refused if data or filter of an operator have a negative dimension: no library has such a tensor."""
    if min([*operator.data.dims, *operator.filter.dims], default=0) < 0:
        raise Refused("a tensor cannot have a negative dimension")


def bf16_to_f32(array):
    """Returns the f32 values of an array of bf16 as uint16. A bf16 is the upper half of an f32."""
    return (numpy.asarray(array, numpy.uint16).astype(numpy.uint32) << 16).view(numpy.float32)


def f32_to_bf16(array):
    """Returns bf16 as uint16, rounded to the nearest, ties to even. NaN stays NaN.

    The lower 16 bits are cut off. Adding 0x7FFF before carries into the upper half if they are above 0x8000, a tie.
    Adding the last bit that stays, too, carries at a tie if this bit is 1. Example: 3F818000 becomes 3F82, 3F808000
    becomes 3F80.
    """
    values = numpy.ascontiguousarray(array, numpy.float32)
    bits = values.view(numpy.uint32).astype(numpy.uint64)
    rounded = ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(numpy.uint16)
    quiet = ((bits >> 16) | 0x40).astype(numpy.uint16)  # a set bit of the mantissa keeps a NaN from becoming infinity
    return numpy.where(numpy.isnan(values), quiet, rounded).astype(numpy.uint16)


def plain_data(array, geometry):
    """Returns data as [N, C, spatial...]: the array itself, or a view of it."""
    return numpy.moveaxis(array, -1, 1) if geometry.channels_last else array


def plain_filter(array, geometry):
    """Returns the filter as [G, C/G, O/G, spatial...]: the array itself, or a view of it."""
    groups, axes = geometry.groups, len(geometry.kernel)
    inputs, outputs = geometry.in_channels // groups, geometry.out_channels // groups
    if geometry.filter_layout != "xio":  # giox and oix have their elements in the order [G, C/G, O/G, spatial]
        return array.reshape([groups, inputs, outputs, *geometry.kernel])
    grouped = array.reshape([*geometry.kernel, outputs, groups, inputs])
    return numpy.transpose(grouped, [axes + 1, axes + 2, axes, *range(axes)])


def plain_output_dims(geometry):
    """Returns [N, O, spatial...], the dimensions of the output of a function on plain arrays."""
    return (geometry.batch, geometry.out_channels, *geometry.output)


def own_output(array, geometry):
    """Returns an output [N, O, spatial...] in the layout of the operator."""
    return numpy.moveaxis(array, 1, -1) if geometry.channels_last else array
