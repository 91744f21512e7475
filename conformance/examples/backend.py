#!/usr/bin/env python3
# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""An example of a vendor's backend as a process. It needs only Python's standard library.

It computes (Group)ConvolutionBackpropData of OpenVINO on f32 and f64, with any number of spatial axes, in plain loops.
It speaks the protocol of conformance/interface/process_protocol.md. Judge it with:

    deconv-cts run --backend cmd:"python3 conformance/examples/backend.py"
"""
import array
import itertools
import json
import math
import sys

DESCRIPTION = {
    "protocol": 1,
    "name": "python-example",
    "version": "1.0",
    "dialects": ["openvino-spec"],
    "operators": ["ConvolutionBackpropData", "GroupConvolutionBackpropData"],
    "element_types": ["f32", "f64"],
    "min_rank": 3,
    "max_rank": 5,
    "max_bytes": 1 << 14,  # plain loops in Python are slow: small tensors only
    "accumulator": "f64",  # Python's floats
    "deterministic": "every-run",
    "resolve": True,
}
ARRAY_TYPES = {"f32": "f", "f64": "d"}
AUTO_PADS = ("explicit", "valid", "same_lower", "same_upper")
LARGEST = 2**63 - 1  # of the sizes and coordinates that the protocol allows


class Refused(Exception):
    """The operator is invalid."""


class Unsupported(Exception):
    """This backend does not declare the operator."""


def expect(condition, message):
    """Refuses the operator with this message unless the condition holds."""
    if not condition:
        raise Refused(message)


def integers(values):
    """Reads a list of the protocol, in which an integer beyond 2^53 - 1 is a string."""
    return [int(value) for value in values]


def product(values, start=1):
    return math.prod(values, start=start)


def resolve(op):
    """Returns the output shape, (stride, dilation, pads_begin) of each spatial axis, and the number of groups."""
    kind, element_type = op["kind"], op["data"]["element_type"]
    if kind not in DESCRIPTION["operators"] or op["dialect"] not in DESCRIPTION["dialects"]:
        raise Unsupported(f"operator {kind}, dialect {op['dialect']}")
    expect(element_type not in ("boolean", "string"), "data: expected a numeric type")
    if element_type not in ARRAY_TYPES:
        raise Unsupported(f"type {element_type}")
    expect(op["filter"]["element_type"] == element_type, "filter: expected the type of data")
    grouped = kind == "GroupConvolutionBackpropData"
    data, weights = integers(op["data"]["dims"]), integers(op["filter"]["dims"])
    axes = len(data) - 2
    expect(1 <= axes <= 8 and len(weights) == len(data) + grouped, "data: rank 3 to 10; filter: as many dimensions")
    expect(min(data + weights) >= 0, "dimensions: expected none below 0")
    groups, per_group, out_channels = weights[:3] if grouped else [1] + weights[:2]
    expect(groups >= 1 and data[1] == groups * per_group, "filter: expected the data's channels")
    kernel = weights[-axes:]
    expect(min(kernel) >= 1, "filter: expected a kernel of at least 1")

    def attribute(name, default, least):
        """One value for each spatial axis, at least `least`; `default` if the operator does not have the attribute."""
        values = integers(op.get(name, [default] * axes))
        expect(len(values) == axes and min(values) >= least, f"{name}: expected {axes} values from {least}")
        return values

    strides, dilations = attribute("strides", 1, 1), attribute("dilations", 1, 1)
    begins, ends = attribute("pads_begin", 0, 0), attribute("pads_end", 0, 0)
    paddings = attribute("output_padding", 0, 0)
    auto_pad = op.get("auto_pad", "explicit").lower()
    expect(auto_pad in AUTO_PADS, f"auto_pad: expected one of {', '.join(AUTO_PADS)}")
    shape = op.get("output_shape")
    if shape is not None:
        asked = integers(shape["values"])
        expect(shape["element_type"].lstrip("iu").isdigit(), "output_shape: expected an integer type")
        expect(integers(shape["dims"]) == [axes] and len(asked) == axes, f"output_shape: expected {axes} values")
        expect(min(asked) >= 1, "output_shape: expected values from 1")

    spatial = []
    for axis in range(axes):
        extent = dilations[axis] * (kernel[axis] - 1) + 1  # of the dilated kernel
        natural = strides[axis] * (data[axis + 2] - 1) + extent + paddings[axis]  # the size without pads
        begin = begins[axis] if auto_pad == "explicit" else 0
        if shape is not None:
            spatial.append(asked[axis])
            total = natural - asked[axis]
            # Of an odd total, same_upper crops one element more at the beginning, and every other mode at the end.
            begin = total - total // 2 if auto_pad == "same_upper" else total // 2
        else:
            spatial.append(natural - begin - (ends[axis] if auto_pad == "explicit" else 0))
        begins[axis] = begin
        expect(max(extent, natural, begin + spatial[axis]) <= LARGEST, "coordinates do not fit 64 bits")
        expect(spatial[axis] >= 1, "output: expected sizes from 1")
    output = [data[0], groups * out_channels] + spatial
    for dims in (data, weights, output):
        # A dim of 0 counts as 1, so that the strides of an empty tensor fit too.
        elements = product(max(dim, 1) for dim in dims)
        expect(elements * (8 if element_type == "f64" else 4) <= LARGEST, "a tensor's bytes do not fit 64 bits")
    return output, list(zip(strides, dilations, begins)), groups


def compute(op, data, filter_values, output, axes, groups):
    """Returns the output: out[stride * i + dilation * k - pad] += data[i] * filter[k] along each spatial axis."""
    zero = array.array(ARRAY_TYPES[op["data"]["element_type"]], [0])
    if not data or not filter_values:
        return zero * product(output)
    batch, channels = output[:2]
    data_dims, kernel = integers(op["data"]["dims"]), integers(op["filter"]["dims"])[-len(axes):]
    spatial, out_spatial = data_dims[2:], output[2:]
    points, taps, places = product(spatial), product(kernel), product(out_spatial)
    per_group, out_per_group = data_dims[1] // groups, channels // groups
    # One entry for each product: offsets of data element, tap and output, each within one channel.
    meetings = [(0, 0, 0)]
    for (stride, dilation, pad), size, length, outputs in zip(axes, spatial, kernel, out_spatial):
        along = [(i, k, stride * i + dilation * k - pad) for i in range(size) for k in range(length)]
        along = [meeting for meeting in along if 0 <= meeting[2] < outputs]
        meetings = [(i * size + di, k * length + dk, o * outputs + do) for i, k, o in meetings for di, dk, do in along]
    result = zero[:0]
    for n, group, to in itertools.product(range(batch), range(groups), range(out_per_group)):
        sums = [0.0] * places
        for source in range(per_group):
            x = data[(n * data_dims[1] + group * per_group + source) * points :][:points]
            w = filter_values[((group * per_group + source) * out_per_group + to) * taps :][:taps]
            for i, k, o in meetings:
                sums[o] += x[i] * w[k]
        result.extend(sums)
    return result


def answer(request, data, filter_values):
    """Returns the header of the reply, and the bytes that follow it."""
    if request["do"] == "describe":
        return DESCRIPTION, b""
    try:
        op = request["operator"]
        output, axes, groups = resolve(op)
        if request["do"] == "resolve":
            return {"answer": "computed", "dims": output, "pads_begin": [axis[2] for axis in axes]}, b""
        code = ARRAY_TYPES[op["data"]["element_type"]]
        if product(output, array.array(code).itemsize) != request["output_bytes"]:
            return {"answer": "other-shape", "dims": output}, b""
        values = compute(op, array.array(code, data), array.array(code, filter_values), output, axes, groups).tobytes()
        return {"answer": "computed", "dims": output, "output_bytes": len(values)}, values
    except Refused as refused:
        return {"answer": "refused", "message": str(refused)}, b""
    except Unsupported as unsupported:
        return {"answer": "unsupported", "message": str(unsupported)}, b""


def main():
    """Answers requests until the input ends: a line of JSON each, and the tensors behind it."""
    requests, replies = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # other output must not mix with the replies
    for line in iter(requests.readline, b""):
        request = json.loads(line)
        data = requests.read(request.get("data_bytes", 0))
        filter_values = requests.read(request.get("filter_bytes", 0))
        header, values = answer(request, data, filter_values)
        replies.write(json.dumps({"id": request["id"], **header}).encode() + b"\n" + values)
        replies.flush()


if __name__ == "__main__":
    main()
