# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""The function `serve`: answers the requests of the suite by calling an adapter's function, and checks its outputs.

The requests are `describe` (what the adapter declares), `supports` (whether it computes an operator) and `run`. They
are those of conformance/interface/process_protocol.md.
"""
import difflib
import sys

import numpy

from deconv_backend import options, protocol, start_server
from deconv_backend.answers import Refused, Unsupported, failure_of, message_of, named, one_line
from deconv_backend.operators import Geometry, Operator
from deconv_backend.tensors import (DTYPES, array_of, dtype_of, has_array, own_output, plain_data, plain_filter,
                                    plain_output_dims)

# The beginning of a dialect's name (a dialect is one reading of the attributes), and the operators that it defines.
OPERATORS = {
    "openvino-": ["ConvolutionBackpropData", "GroupConvolutionBackpropData"],
    "onednn-": ["ConvolutionBackwardData"],
    "onnx": ["ConvTranspose"],
    "tensorflow": ["ConvTranspose"],
}
# A backend that takes resolved geometry does not read attributes. So it can do every operator, in any dialect.
ALL_DIALECTS = ["openvino-spec", "onednn-spec", "onnx-11"]
# Keys of the answer to `describe` that serve() takes under the same names.
OPTIONAL_KEYS = {
    "max_bytes", "accumulator", "rounding", "subnormals", "overflow", "saturating_types", "types_in_f32",
    "deterministic", "max_threads", "algorithm", "arithmetic", "known_deviations", "unsupported", "max_attribute",
}

# The words that an argument of serve() may have, or that its list may have. The suite knows no others.
WORDS = {
    "dialects": ["openvino-spec", "openvino-runtime", "onednn-spec", "onednn-runtime", "onnx-1", "onnx-11",
                 "onnxruntime", "onnx-22", "tensorflow"],
    "operators": [name for names in OPERATORS.values() for name in names],
    "types": [name for name in DTYPES if name != "boolean"],
    "unsupported": ["dilations", "groups", "asymmetric-pads", "negative-pads", "output-padding", "empty-tensors",
                    "shape-attribute", "shape-input", "auto-pad", "strides", "ncx", "nxc", "oix", "xio"],
    "known_deviations": ["structural-nan", "clamped-infinity"],
    "saturating_types": [name for name in DTYPES if name[0] in "iu"],
    "types_in_f32": [name for name in DTYPES if name[0] in "iu" or name == "f64"],
    "accumulator": ["f32", "f64", "storage", "f64-through-f32"],
    "rounding": ["nearest", "faithful"],
    "subnormals": ["kept", "flushed", "flushed-in-bf16"],
    "overflow": ["wraps", "saturates"],
    "deterministic": ["no", "every-run", "any-threads"],
    "algorithm": ["direct", "fast"],
}
LISTS = {"dialects", "operators", "types", "unsupported", "known_deviations", "saturating_types", "types_in_f32"}
NUMBERS = {"min_rank": 1, "max_rank": 1, "max_bytes": 0, "max_threads": 0, "max_attribute": 0}  # name: least value


class Adapter:
    """An adapter's functions and its description. The arguments are those of serve(); `resolved` says that `function`
    is deconv and not run."""

    def __init__(self, function, resolved, supports, refuses, native_layouts, bf16, description):
        self.function, self.resolved, self.supports, self.refuses = function, resolved, supports, refuses
        self.native_layouts, self.bf16, self.description = native_layouts, bf16, description

    def answer(self, request, data, filter):
        """Returns the keys of the answer, and the bytes of the output or None."""
        if request["do"] == "describe":
            return self.description, None
        if request["do"] == "supports":
            return self.answer_supports(request), None
        if request["do"] != "run":
            return {"answer": "error", "message": f"this adapter cannot do '{request['do']}'"}, None
        resolved = Geometry.read(request) if self.resolved else None
        operator = resolved.operator if resolved else Operator.read(request)
        arrays = [array_of(content, tensor.element_type, tensor.dims, self.bf16)
                  for content, tensor in ((data, operator.data), (filter, operator.filter))]
        try:
            returned = self.call_resolved(arrays, resolved) if resolved else self.function(operator, *arrays)
        except Unsupported as error:
            return {"answer": "unsupported", "message": one_line(error)}, None
        except Refused as error:
            return {"answer": "refused", "message": one_line(error)}, None
        except self.refuses as error:
            return {"answer": "refused", "message": message_of(error)}, None
        except Exception as error:
            return {"answer": "error", "message": failure_of(error)}, None
        output, name = named(returned)
        keys, content = self.answer_output(request, operator, resolved, output)
        return {**keys, **name}, content

    def answer_supports(self, request):
        """Returns the keys of the answer to the question whether the adapter computes an operator."""
        operator = Geometry.read(request) if self.resolved else Operator.read(request)
        if not arrays_exist(operator):
            return {"supported": False, "message": "NumPy has no array of these dimensions"}
        if self.supports is None:
            return {"supported": True}
        try:
            reason = self.supports(operator)
        except Unsupported as error:
            reason = str(error)
        except Exception as error:
            print(f"supports() failed: {message_of(error)}", file=sys.stderr)
            raise
        if reason is None or reason is True:
            return {"supported": True}
        if not isinstance(reason, str) or not reason:
            raise TypeError(f"supports() returned {reason!r}; expected None (supported) or the reason as a text")
        return {"supported": False, "message": one_line(reason)}

    def call_resolved(self, arrays, geometry):
        """Calls deconv() on data and filter in the layouts that the adapter takes."""
        if not self.native_layouts:
            arrays = [plain_data(arrays[0], geometry), plain_filter(arrays[1], geometry)]
        return self.function(*arrays, geometry)

    def answer_output(self, request, operator, geometry, output):
        """Returns the keys of the answer for a returned output, and its bytes or None.

        `geometry` is None for run(), whose output may have any shape. An output of deconv() with a wrong shape is sent
        if it has the right number of bytes: its dims then tell the suite. An output of another size is `other-shape`.
        """
        if not geometry and request["output_bytes"] == 0 and isinstance(output, numpy.ndarray) and output.size != 0:
            return {"answer": "other-shape", "dims": list(output.shape)}, None  # an invalid operator was accepted
        complaint = self.complaint_about(output, operator.data.element_type)
        if complaint:
            return {"answer": "error", "message": complaint}, None
        expected = None
        if geometry:
            expected = own_dims(geometry) if self.native_layouts else plain_output_dims(geometry)
            wrong = f"deconv() returned an array of shape {list(output.shape)}; expected {list(expected)}"
            if output.ndim != len(expected):
                return {"answer": "error", "message": wrong}, None
        if expected and output.shape != expected:
            dims = output.shape if self.native_layouts else in_own_layout(output.shape, geometry)
            keys = {"dims": list(dims), "message": wrong}
        else:
            output = own_output(output, geometry) if geometry and not self.native_layouts else output
            keys = {"dims": list(output.shape)}
        if output.nbytes != request["output_bytes"]:
            return {"answer": "other-shape", **keys}, None
        return {"answer": "computed", **keys}, numpy.ascontiguousarray(output).tobytes()

    def complaint_about(self, output, element_type):
        """Returns an error message about the output's type, or "". It does not check the shape."""
        function = "deconv()" if self.resolved else "run()"
        if not isinstance(output, numpy.ndarray):
            return f"{function} returned {type(output).__name__}; expected a NumPy array"
        if element_type not in DTYPES:
            return f"{function} returned an output for data of type {element_type}; expected it to raise Refused"
        dtype = dtype_of(element_type, self.bf16)
        if output.dtype != dtype:
            return f"{function} returned an array of dtype {output.dtype}; expected {dtype}, the type of data"
        return ""


def arrays_exist(operator):
    """Whether NumPy has arrays of the dimensions of data and filter, and of the output if the geometry is resolved."""
    resolved = isinstance(operator, Geometry)
    inputs = operator.operator if resolved else operator
    tensors = [(tensor.element_type, tensor.dims) for tensor in (inputs.data, inputs.filter)]
    if resolved:
        tensors.append((operator.element_type, plain_output_dims(operator)))
    return all(has_array(element_type, dims) for element_type, dims in tensors if element_type in DTYPES)


def in_own_layout(dims, geometry):
    """Returns dims [N, O, spatial...] in the order of the operator's layout."""
    return (dims[0], *dims[2:], dims[1]) if geometry.channels_last else dims


def own_dims(geometry):
    """Returns the dims of the output in the operator's layout."""
    return in_own_layout(plain_output_dims(geometry), geometry)


def complaint_about_argument(key, value):
    """Returns an error message about one argument of serve(), or ""."""
    if key in NUMBERS:
        whole = isinstance(value, int) and not isinstance(value, bool)
        if not whole or not NUMBERS[key] <= value < 1 << 63:
            return f"{key}={value!r}; expected a whole number from {NUMBERS[key]} to 2^63-1"
        return ""
    if key not in WORDS:
        return ""
    if key not in LISTS:
        return "" if value in WORDS[key] else f"{key}={value!r}; expected one of {', '.join(WORDS[key])}"
    if isinstance(value, str) or not hasattr(value, "__iter__"):
        return f"{key}={value!r}; expected a list, as {key}=[{WORDS[key][0]!r}]"
    for word in value:
        if word not in WORDS[key]:
            nearest = difflib.get_close_matches(str(word), WORDS[key], 1, 0.7)  # 0.7: how alike, a guess
            guess = f"did you mean {nearest[0]!r}? " if nearest else ""
            return f"{key} has {word!r}; {guess}expected words of {', '.join(WORDS[key])}"
    return ""


def description_of(name, version, types, dialects, operators, min_rank, max_rank, declared):
    """Returns the answer to `describe`. Raises TypeError if an argument of serve() is wrong."""
    for key in declared:
        if key not in OPTIONAL_KEYS:
            raise TypeError(f"serve() got '{key}'; expected one of {', '.join(sorted(OPTIONAL_KEYS))}")
    given = {"dialects": dialects, "operators": operators, "types": types, "min_rank": min_rank, "max_rank": max_rank,
             **declared}
    for key, value in given.items():
        complaint = complaint_about_argument(key, value)
        if complaint and not (key == "operators" and value is None):
            raise TypeError(f"serve(): {complaint}")
    if min_rank > max_rank:
        raise TypeError(f"serve(): min_rank={min_rank} is above max_rank={max_rank}")
    if operators is None:
        found = [names for prefix, names in OPERATORS.items() for dialect in dialects if dialect.startswith(prefix)]
        operators = list(dict.fromkeys(name for names in found for name in names))
    return {"protocol": 1, "name": name, "version": version, "dialects": list(dialects), "operators": list(operators),
            "element_types": list(types), "min_rank": min_rank, "max_rank": max_rank, **declared}


def serve(deconv=None, *, run=None, takes_resolved=None, supports=None, name, version, types, dialects=None,
          operators=None, min_rank=3, max_rank=5, refuses=(), native_layouts=False, bf16="uint16", **declared):
    """Serves until the end of standard input.

    Give one of these functions:
      deconv(data, filter, geometry)  data [N, C, spatial...], filter [G, C/G, O/G, spatial...]; returns the output
                                      [N, O, spatial...]. The suite resolves the attributes (Geometry). With
                                      native_layouts=True all three have the layout of the operator.
      run(operator, data, filter)     the library resolves the attributes itself (Operator), and refuses what is invalid.
                                      An array is None if the suite sent no bytes: an invalid operator, large tensors.
    Both may return (output, implementation) instead: a text that names the code that computed it, for reports.
    supports(geometry or operator)    returns None, or the reason why the library does not compute it, as a text.
    refuses                           exceptions of the library that mean: the operator is invalid.
    bf16                              "uint16" or "ml_dtypes": the dtype of bf16.
    declared                          further keys of the answer to `describe`: unsupported, accumulator, ...

    An exception Refused or Unsupported becomes that answer. Any other exception becomes the answer `error`.
    """
    resolved = deconv is not None
    if resolved == (run is not None):
        raise TypeError("serve(): give either deconv, for resolved geometry, or run, for attributes")
    if takes_resolved is not None and takes_resolved != resolved:
        raise TypeError("serve(): takes_resolved=True is for deconv, takes_resolved=False for run")
    if bf16 not in ("uint16", "ml_dtypes"):
        raise TypeError(f"bf16={bf16!r}; expected 'uint16' or 'ml_dtypes'")
    if dialects is None:
        dialects = ALL_DIALECTS if resolved else ["openvino-spec"]
    description = description_of(name, version, types, dialects, operators, min_rank, max_rank, declared)
    if resolved:
        description["takes_resolved"] = True
    if resolved or supports is not None:
        description["supports"] = True
    complaint = options.complaint()
    if complaint:
        raise SystemExit(complaint)
    adapter = Adapter(run or deconv, resolved, supports, tuple(refuses), native_layouts, bf16, description)
    start_server.fork_for_each_client()  # in a start server this returns only in the processes that it forks
    streams = protocol.protect()
    serve.was_called = True
    for request, data, filter in streams.requests():
        keys, output = adapter.answer(request, data, filter)
        streams.answer(request, keys, output)


serve.was_called = False  # __main__ tells a user whose adapter never calls serve()
