# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""The C interface of the kernel in ctypes: the structs, values and functions of deconv.h that the bindings use. ctypes
releases the GIL (Python's global lock) while a function of the library runs."""
from __future__ import annotations

import ctypes
import os
import pathlib
from ctypes import CFUNCTYPE, POINTER, Structure, byref, c_char, c_char_p, c_int32, c_int64, c_size_t, c_void_p, sizeof
from typing import Any, Optional, Sequence

SONAME = "libdeconv.so.0.1"  # a minor version may have another binary interface until version 1.0

CONVOLUTION_BACKPROP_DATA, GROUP_CONVOLUTION_BACKPROP_DATA = 1, 2  # values of deconv_kind
OPENVINO_SPEC = 1  # a value of deconv_dialect, the rules for pads and sizes: those of OpenVINO's documents
NCX, NXC = 0, 1  # values of deconv_layout
# Values of deconv_type by the names of NumPy's types; "bfloat16" is the name in the package ml_dtypes.
TYPES = {"float64": 1, "float32": 2, "float16": 3, "bfloat16": 4, "int8": 5, "int16": 6, "int32": 7, "int64": 8,
         "uint8": 9, "uint16": 10, "uint32": 11, "uint64": 12}
MAX_RANK = 10

# The exceptions for the deconv_codes UNSUPPORTED, OVERFLOW and OUT_OF_MEMORY; all other failures raise ValueError.
_ERRORS = {3: NotImplementedError, 4: OverflowError, 6: MemoryError}

TASK = CFUNCTYPE(None, c_void_p, c_size_t, c_size_t)
PARALLEL_FOR = CFUNCTYPE(None, c_void_p, c_size_t, c_void_p, c_void_p)


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


class Options(Structure):
    _fields_ = [
        ("struct_bytes", c_size_t), ("layout", c_int32), ("reserved", c_int32), ("algorithm", c_char_p),
        ("target", c_char_p), ("cpu", c_char_p), ("keep_subnormals", c_int32), ("reserved_end", c_int32),
    ]


class Status(Structure):
    _fields_ = [("struct_bytes", c_size_t), ("code", c_int32), ("message", c_char * 512)]


class RunArgs(Structure):
    _fields_ = [
        ("struct_bytes", c_size_t), ("data", c_void_p), ("data_bytes", c_size_t),
        ("packed_filter", c_void_p), ("packed_filter_bytes", c_size_t),
        ("output", c_void_p), ("output_bytes", c_size_t), ("workspace", c_void_p), ("workspace_bytes", c_size_t),
        ("parallel_for", PARALLEL_FOR), ("parallel_context", c_void_p), ("workers", c_size_t), ("batch", c_int64),
    ]


# The type of the result and those of the arguments of each function.
_FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "deconv_version": (c_char_p, []),
    "deconv_target": (c_char_p, [c_size_t]),
    "deconv_selftest": (c_int32, [POINTER(Status)]),
    "deconv_plan_create": (c_int32, [POINTER(Operator), POINTER(Options), POINTER(c_void_p), POINTER(Status)]),
    "deconv_plan_destroy": (None, [c_void_p]),
    "deconv_plan_output_rank": (c_int32, [c_void_p]),
    "deconv_plan_output_dims": (POINTER(c_int64), [c_void_p]),
    "deconv_plan_packed_filter_bytes": (c_size_t, [c_void_p]),
    "deconv_plan_workspace_bytes": (c_size_t, [c_void_p, c_size_t]),
    "deconv_plan_algorithm": (c_char_p, [c_void_p]),
    "deconv_plan_target": (c_char_p, [c_void_p]),
    "deconv_pack_filter": (c_int32, [c_void_p, c_void_p, c_size_t, c_void_p, c_size_t, POINTER(Status)]),
    "deconv_run": (c_int32, [c_void_p, POINTER(RunArgs), POINTER(Status)]),
}


def tagged(structure: Any, **fields: Any) -> Any:
    """Returns a struct of the interface that says its size; fields that are not named are zero."""
    return structure(struct_bytes=sizeof(structure), **fields)


def list_of(values: Optional[Sequence[int]]) -> List:
    """Returns the list attribute of the C interface for some values. None stands for an absent attribute."""
    return List(None, 0) if values is None else List((c_int64 * len(values))(*values), len(values))


def _load() -> ctypes.CDLL:
    """Loads libdeconv.so: the file that DECONV_LIBRARY names, the one beside this file (wheel) or in lib/
    (installation), or the one that the system finds. Declares the types of its functions."""
    here = pathlib.Path(__file__).resolve().parent  # in an installation PREFIX/share/deconv/python/deconv
    installed = [here / SONAME, *(folder / "lib" / SONAME for folder in here.parents[3:4])]
    path = os.environ.get("DECONV_LIBRARY") or next((str(file) for file in installed if file.exists()), SONAME)
    library = ctypes.CDLL(path)
    for name, (result, arguments) in _FUNCTIONS.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


LIBRARY = _load()


def call(name: str, *arguments: Any) -> None:
    """Calls a function that takes a status at the end. A failure is an exception with the library's message."""
    status = tagged(Status)
    code = getattr(LIBRARY, name)(*arguments, byref(status))
    if code != 0:
        raise _ERRORS.get(code, ValueError)(status.message.decode(errors="replace"))
