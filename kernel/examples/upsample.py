#!/usr/bin/env python3
# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Shows how to use the kernel from Python, with ctypes alone: a bilinear upsampling by two of one 4x4 plane.

    upsample.py [LIBRARY]    default: libdeconv.so.0.1, as the system finds it
"""

import ctypes
import sys
from ctypes import POINTER, Structure, byref, c_char, c_char_p, c_int32, c_int64, c_size_t, c_void_p, sizeof


class List(Structure):
    _fields_ = [("values", POINTER(c_int64)), ("count", c_size_t)]


class Tensor(Structure):
    _fields_ = [("type", c_int32), ("reserved", c_int32), ("dims", List)]


class Operator(Structure):
    _fields_ = [
        ("struct_bytes", c_size_t), ("kind", c_int32), ("dialect", c_int32),
        ("data", Tensor), ("filter", Tensor),
        ("has_output_shape", c_int32), ("has_groups", c_int32),
        ("output_shape", Tensor), ("output_shape_values", List),
        ("strides", List), ("dilations", List), ("pads_begin", List), ("pads_end", List), ("output_padding", List),
        ("auto_pad", c_char_p), ("groups", c_int64), ("data_format", c_char_p), ("weights_format", c_char_p),
        ("dst_shape", List), ("kernel_shape", List), ("output_shape_attribute", List),
    ]


class Status(Structure):
    _fields_ = [("struct_bytes", c_size_t), ("code", c_int32), ("message", c_char * 512)]


class RunArgs(Structure):
    _fields_ = [
        ("struct_bytes", c_size_t), ("data", c_void_p), ("data_bytes", c_size_t),
        ("packed_filter", c_void_p), ("packed_filter_bytes", c_size_t),
        ("output", c_void_p), ("output_bytes", c_size_t), ("workspace", c_void_p), ("workspace_bytes", c_size_t),
        ("parallel_for", c_void_p), ("parallel_context", c_void_p), ("workers", c_size_t), ("batch", c_int64),
    ]


CONVOLUTION_BACKPROP_DATA, OPENVINO_SPEC, F32 = 1, 1, 2


def tagged(kind):
    """A struct of the interface, zeroed and tagged with its size."""
    return kind(struct_bytes=sizeof(kind))


def make_list(*values):
    return List((c_int64 * len(values))(*values), len(values))


class Deconv:
    """The functions of the library that are needed here; a failure is a RuntimeError with the library's message."""

    def __init__(self, path):
        self.library = ctypes.CDLL(path)
        for name, result, arguments in [
            ("deconv_plan_create", c_int32, [POINTER(Operator), c_void_p, POINTER(c_void_p), POINTER(Status)]),
            ("deconv_plan_destroy", None, [c_void_p]),
            ("deconv_plan_output_dims", POINTER(c_int64), [c_void_p]),
            ("deconv_plan_output_bytes", c_size_t, [c_void_p]),
            ("deconv_plan_packed_filter_bytes", c_size_t, [c_void_p]),
            ("deconv_plan_workspace_bytes", c_size_t, [c_void_p, c_size_t]),
            ("deconv_plan_algorithm", c_char_p, [c_void_p]),
            ("deconv_pack_filter", c_int32, [c_void_p, c_void_p, c_size_t, c_void_p, c_size_t, POINTER(Status)]),
            ("deconv_run", c_int32, [c_void_p, POINTER(RunArgs), POINTER(Status)]),
        ]:
            function = getattr(self.library, name)
            function.restype, function.argtypes = result, arguments

    def call(self, name, *arguments):
        status = tagged(Status)
        if getattr(self.library, name)(*arguments, byref(status)) != 0:
            raise RuntimeError(f"{name}: {status.message.decode()}")


def upsample(deconv, data):
    """data: 16 numbers of a 4x4 plane. Returns the name of the algorithm and the 64 of the 8x8 plane."""
    tent = [0.25, 0.75, 0.75, 0.25]
    values = (ctypes.c_float * 16)(*data)
    filter_values = (ctypes.c_float * 16)(*[a * b for a in tent for b in tent])

    # The operator as its specification describes it; nothing is resolved by the caller.
    operator = tagged(Operator)
    operator.kind, operator.dialect = CONVOLUTION_BACKPROP_DATA, OPENVINO_SPEC
    operator.data = Tensor(F32, 0, make_list(1, 1, 4, 4))
    operator.filter = Tensor(F32, 0, make_list(1, 1, 4, 4))
    operator.strides, operator.dilations = make_list(2, 2), make_list(1, 1)
    operator.pads_begin = operator.pads_end = make_list(1, 1)

    plan = c_void_p()
    deconv.call("deconv_plan_create", byref(operator), None, byref(plan))
    try:
        library = deconv.library
        packed = ctypes.create_string_buffer(library.deconv_plan_packed_filter_bytes(plan))
        workspace = ctypes.create_string_buffer(max(1, library.deconv_plan_workspace_bytes(plan, 1)))
        output = (ctypes.c_float * (library.deconv_plan_output_bytes(plan) // 4))()
        deconv.call("deconv_pack_filter", plan, filter_values, sizeof(filter_values), packed, sizeof(packed))
        args = tagged(RunArgs)
        args.data, args.data_bytes = ctypes.addressof(values), sizeof(values)
        args.packed_filter, args.packed_filter_bytes = ctypes.addressof(packed), sizeof(packed)
        args.output, args.output_bytes = ctypes.addressof(output), sizeof(output)
        args.workspace, args.workspace_bytes = ctypes.addressof(workspace), sizeof(workspace)
        deconv.call("deconv_run", plan, byref(args))
        return library.deconv_plan_algorithm(plan).decode(), list(output)
    finally:
        deconv.library.deconv_plan_destroy(plan)


def main():
    path = sys.argv[1] if len(sys.argv) > 1 else "libdeconv.so.0.1"
    algorithm, output = upsample(Deconv(path), range(16))
    print(f"output 8x8 by {algorithm}")
    for row in range(8):
        print(*(f"{value:g}" for value in output[8 * row:8 * row + 8]))


if __name__ == "__main__":
    main()
