# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Plans of the kernel. A plan is an operator that is prepared for repeated runs, without values of tensors.
Equal operators share a plan, which any thread may run."""
from __future__ import annotations

import functools
import threading
import weakref
from concurrent.futures import ThreadPoolExecutor
from ctypes import byref, c_void_p
from typing import Any, NamedTuple, Optional, Tuple

import numpy

from deconv._library import (CONVOLUTION_BACKPROP_DATA, GROUP_CONVOLUTION_BACKPROP_DATA, LIBRARY, NCX, NXC,
                             OPENVINO_SPEC, PARALLEL_FOR, TASK, TYPES, Operator, Options, RunArgs, Tensor, call, list_of,
                             tagged)

Sizes = Tuple[int, ...]
MOST_PLANS = 256  # plans that are kept; a model has fewer layers, and a plan without its filter takes a few kilobytes


class Attributes(NamedTuple):
    """The attributes of an operator as the user writes them, with one value for each spatial axis."""
    strides: Sizes
    dilations: Sizes
    pads_begin: Sizes
    pads_end: Sizes
    output_padding: Sizes
    groups: int
    output_shape: Optional[Sizes]
    auto_pad: Optional[str]
    layout: str
    algorithm: Optional[str]
    target: Optional[str]


def pointer(array: Any) -> int:
    """Returns the address of an array's first element. The caller must keep the array alive."""
    return array.__array_interface__["data"][0]


class Plan:
    """Owns a deconv_plan. `data` is the shape [N, C_IN, spatial...], `filter` is [C_IN, C_OUT / groups, spatial...]."""

    def __init__(self, type_name: str, data: Sizes, filter: Sizes, attributes: Attributes) -> None:
        a = attributes
        operator = tagged(Operator, kind=CONVOLUTION_BACKPROP_DATA, dialect=OPENVINO_SPEC)
        if a.groups > 1:
            operator.kind = GROUP_CONVOLUTION_BACKPROP_DATA
            filter = (a.groups, filter[0] // a.groups, *filter[1:])  # the same bytes, with the groups as an axis
        operator.data = Tensor(TYPES[type_name], 0, list_of(data))
        operator.filter = Tensor(TYPES[type_name], 0, list_of(filter))
        for name in ("strides", "dilations", "pads_begin", "pads_end", "output_padding"):
            setattr(operator, name, list_of(getattr(a, name)))
        if a.output_shape is not None:
            operator.has_output_shape = 1
            operator.output_shape = Tensor(TYPES["int64"], 0, list_of([len(a.output_shape)]))
            operator.output_shape_values = list_of(a.output_shape)
        operator.auto_pad = a.auto_pad.encode() if a.auto_pad else None
        options = tagged(Options, layout=NXC if a.layout == "nxc" else NCX,
                         algorithm=a.algorithm.encode() if a.algorithm else None,
                         target=a.target.encode() if a.target else None)
        self.handle = c_void_p()
        call("deconv_plan_create", byref(operator), byref(options), byref(self.handle))
        weakref.finalize(self, LIBRARY.deconv_plan_destroy, self.handle)
        dims = LIBRARY.deconv_plan_output_dims(self.handle)
        logical = tuple(dims[i] for i in range(LIBRARY.deconv_plan_output_rank(self.handle)))
        self.output_shape = (logical[0], *logical[2:], logical[1]) if a.layout == "nxc" else logical
        self.packed_bytes: int = LIBRARY.deconv_plan_packed_filter_bytes(self.handle)
        self.algorithm: str = LIBRARY.deconv_plan_algorithm(self.handle).decode()
        self.target: str = LIBRARY.deconv_plan_target(self.handle).decode()

    def pack(self, filter: Any, packed: Any) -> None:
        """Rearranges `filter` for this plan into `packed`, an array of packed_bytes bytes."""
        call("deconv_pack_filter", self.handle, pointer(filter), filter.nbytes, pointer(packed), packed.nbytes)

    def run(self, data: Any, packed: Any, output: Any, threads: int) -> None:
        """Computes `output` on `threads` threads. The arrays have been checked."""
        bytes_needed = LIBRARY.deconv_plan_workspace_bytes(self.handle, threads)
        workspace = _scratch("workspace", bytes_needed)
        args = tagged(RunArgs, data=pointer(data), data_bytes=data.nbytes, packed_filter=pointer(packed),
                      packed_filter_bytes=packed.nbytes, output=pointer(output), output_bytes=output.nbytes,
                      workspace=pointer(workspace), workspace_bytes=workspace.nbytes, workers=threads)
        if threads > 1:
            args.parallel_for = _parallel_for(threads)
        call("deconv_run", self.handle, byref(args))


@functools.lru_cache(maxsize=MOST_PLANS)
def plan_of(type_name: str, data: Sizes, filter: Sizes, attributes: Attributes) -> Plan:
    """The plan of an operator: an earlier one of an equal operator, or a new one. `data`, `filter`: shapes."""
    return Plan(type_name, data, filter, attributes)


_local = threading.local()  # the scratch buffers of each thread


def _scratch(name: str, size: int) -> Any:
    """Returns a buffer of at least `size` bytes, which this thread keeps as `name` for its next call. To allocate a
    large workspace in each call would take longer than to compute a small layer."""
    buffer = getattr(_local, name, None)
    if buffer is None or buffer.nbytes < size:
        buffer = numpy.empty(max(size, 1), numpy.uint8)
        setattr(_local, name, buffer)
    return buffer


def packing_scratch(size: int) -> Any:
    """Returns a buffer of this thread with `size` bytes, for a packed filter that is used in one call only."""
    return _scratch("packed", size)[:size]


@functools.lru_cache(maxsize=8)
def _parallel_for(threads: int) -> Any:
    """Returns a deconv_parallel_for, which runs the tasks of a run on the calling thread and on a pool of threads.
    A task runs without the GIL."""
    pool = ThreadPoolExecutor(threads - 1, thread_name_prefix="deconv")

    def parallel_for(_context: Any, count: int, task_pointer: int, argument: int) -> None:
        task, lock = TASK(task_pointer), threading.Lock()
        indices = iter(range(count))

        def work(worker: int) -> None:
            while True:
                with lock:
                    index = next(indices, None)
                if index is None:
                    return
                task(argument, index, worker)

        helpers = [pool.submit(work, worker) for worker in range(1, min(threads, count))]
        work(0)
        for helper in helpers:
            helper.result()

    return PARALLEL_FOR(parallel_for)
