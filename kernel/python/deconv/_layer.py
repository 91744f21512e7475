# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""The class ConvTranspose: a transposed convolution whose filter stays the same. Each call with a new size of the data
makes a plan (a prepared operator) and packs the filter for it; later calls of this size only run the plan."""
from __future__ import annotations

import threading
from typing import Any, Optional

import numpy

from deconv._array import PerAxis, attributes_of, plan_for, run
from deconv._plan import Plan

MOST_PACKED = 16  # packed filters that a layer keeps; a guess: each is a copy of the filter


class ConvTranspose:
    """conv_transpose with a fixed filter and attributes. Any number of threads may call a layer at the same time.

    The layer keeps a reference to the filter. If the values of the filter change, make a new layer.
    """

    def __init__(self, filter: Any, *, strides: PerAxis = 1, pads_begin: PerAxis = 0, pads_end: PerAxis = 0,
                 dilations: PerAxis = 1, groups: int = 1, output_padding: PerAxis = 0,
                 output_shape: Optional[PerAxis] = None, auto_pad: Optional[str] = None, layout: str = "ncx",
                 algorithm: Optional[str] = None, target: Optional[str] = None) -> None:
        self._attributes = attributes_of(filter, strides, pads_begin, pads_end, dilations, groups, output_padding,
                                         output_shape, auto_pad, layout, algorithm, target)
        self._filter = filter
        self._packed: dict[int, tuple[Plan, Any]] = {}  # by the id() of the plan: the plan and its packed filter
        self._lock = threading.Lock()  # of _packed

    def __call__(self, data: Any, *, threads: int = 1, out: Optional[Any] = None) -> Any:
        """The output for `data`; see conv_transpose for threads and out."""
        plan = self.plan(data)
        return run(plan, data, self._packed_for(plan), out, threads)

    def plan(self, data: Any) -> Plan:
        """The plan for data of this shape: its algorithm, target and output_shape."""
        return plan_for(data, self._filter, self._attributes)

    def _packed_for(self, plan: Plan) -> Any:
        """Returns the filter packed for this plan. The oldest packed filter makes room for a new one."""
        with self._lock:
            known = self._packed.get(id(plan))  # the entry keeps the plan alive, so no other plan gets its id
            if known is None:
                packed = numpy.empty(plan.packed_bytes, numpy.uint8)
                plan.pack(self._filter, packed)
                if len(self._packed) >= MOST_PACKED:
                    del self._packed[next(iter(self._packed))]
                known = self._packed[id(plan)] = (plan, packed)
            return known[1]
