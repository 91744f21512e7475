# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Records transposed convolutions in PaddlePaddle.

In a program, it watches the functions that the layers call. Of an inference model in a file, it runs each operator. A
bias is an add behind the operator, so it is never in the recorded output. The case has the pads as numbers; the pads of
SAME are those that PaddlePaddle computes from the data's size.
"""
import contextlib
import os
import sys

import numpy

from deconv_capture import inputs
from deconv_capture.recorder import CaptureError, Layer, program_line

_OPERATORS = ("conv2d_transpose", "depthwise_conv2d_transpose", "conv3d_transpose")


def _numbers(values, axes):
    """Returns an argument as a list of integers. One number stands for all axes."""
    values = [int(value) for value in (values if isinstance(values, (list, tuple)) else [values])]
    return values * axes if len(values) == 1 else values


def geometry(algorithm, pads, size, kernel, stride, dilation, output):
    """Returns (pads_begin, pads_end, dilation, output_padding) of one axis, for a call that gave this output size.

    SAME and VALID replace the pads, and SAME the dilation too. Example: SAME with size 5, kernel 3, stride 2 and output
    10 gives the pads 1 and 1, and 10 - (4*2 + 2 + 1 - 2) = 1 as the output_padding.
    """
    if algorithm == "SAME":
        total = max((-(-size // stride) - 1) * stride + kernel - size, 0)
        pads, dilation = (total // 2, total - total // 2), 1
    elif algorithm == "VALID":
        pads = (0, 0)
    # What the output has more than the formula says is output_padding. What it has less is a pad at the end.
    extra = output - ((size - 1) * stride + (kernel - 1) * dilation + 1 - pads[0] - pads[1])
    return pads[0], pads[1] - min(extra, 0), dilation, max(extra, 0)


def _record(recorder, name, data, weights, output, attributes):
    """Records one call. `attributes` has Paddle's arguments by their names."""
    rank = data.ndim
    axes = rank - 2
    last = attributes["data_format"].endswith("C")
    spatial = range(1, rank - 1) if last else range(2, rank)
    strides, dilations = (_numbers(attributes[key], axes) for key in ("strides", "dilations"))
    pads = _numbers(attributes["paddings"], axes)
    pairs = list(zip(pads[::2], pads[1::2])) if len(pads) == 2 * axes else [(pad, pad) for pad in pads]
    found = [geometry(attributes["padding_algorithm"], pairs[at], data.shape[axis], weights.shape[2 + at], strides[at],
                      dilations[at], output.shape[axis]) for at, axis in enumerate(spatial)]
    fields = {"strides": strides, "dilations": [axis[2] for axis in found], "pads_begin": [axis[0] for axis in found],
              "pads_end": [axis[1] for axis in found], "output_padding": [axis[3] for axis in found]}
    if attributes["groups"] != 1:
        fields["groups"] = int(attributes["groups"])
    first = [0, rank - 1, *spatial] if last else list(range(rank))
    notes = [f"padding_algorithm {attributes['padding_algorithm']} of PaddlePaddle"] + (["channels last"] if last else [])
    if recorder.wants(name, "ConvTranspose", data.shape, weights.shape, fields):
        recorder.record(Layer(name, "ConvTranspose", data.transpose(first), weights, output.transpose(first), fields,
                              element_type="bf16" if data.dtype == numpy.uint16 else None, notes=notes))


def _caller(paddle):
    """Returns the name of the layer that calls, or the file and line of the program."""
    frame = sys._getframe(2)
    packages = os.path.dirname(os.path.dirname(os.path.abspath(paddle.__file__)))
    while frame is not None:
        owner = frame.f_locals.get("self")
        if isinstance(owner, paddle.nn.Layer):
            return owner.full_name()
        frame = frame.f_back
    return program_line(sys._getframe(2), lambda file: file.startswith(packages))


@contextlib.contextmanager
def watching(paddle, recorder):
    """Records the calls in the body of `with`. A graph that is only built has no values, so it is not recorded."""
    recorder.runtime = recorder.runtime or f"PaddlePaddle {paddle.__version__}"
    keys = ("strides", "paddings", "output_padding", "output_size", "padding_algorithm", "groups", "dilations",
            "data_format")

    def watched(function):
        def call(x, weight, *others):
            output = function(x, weight, *others)
            if paddle.in_dynamic_mode() and len(others) == len(keys):
                _record(recorder, _caller(paddle), x.numpy(), weight.numpy(), output.numpy(), dict(zip(keys, others)))
            return output
        return call

    with contextlib.ExitStack() as stack:
        for name in _OPERATORS:
            function = getattr(paddle._C_ops, name)
            setattr(paddle._C_ops, name, watched(function))
            stack.callback(setattr, paddle._C_ops, name, function)
        yield


def capture(path, recorder, given, seed):
    """Runs the model on the given inputs, draws the others from the seed, and records its layers."""
    try:
        import paddle
    except ImportError as error:
        raise CaptureError(f"{path}: {error}; install paddlepaddle", 3) from None
    recorder.runtime = f"PaddlePaddle {paddle.__version__}"
    paddle.enable_static()
    executor = paddle.static.Executor(paddle.CPUPlace())
    try:
        program, _, _ = paddle.static.load_inference_model(os.path.splitext(path)[0], executor)
        block = program.global_block()
        for operator in [operator for operator in block.ops if operator.name() == "pd_op.fetch"]:
            block.remove_op(operator)  # the model's own results, whose places the layers' tensors take
        operators = block.ops
        names = [operator.name() for operator in operators]
    except Exception as error:
        raise CaptureError(f"{path}: PaddlePaddle cannot load it as an inference model of version 3: {error}") from None
    wanted = {}
    for operator, name in zip(operators, names):
        if name in ("pd_op.data", "pd_op.feed"):
            value = operator.results()[0]
            kind = str(value.dtype).lower().rpartition(".")[2]  # "paddle.float32"
            wanted[operator.attrs()["name"]] = ([int(dim) if dim >= 0 else None for dim in value.shape], kind)
    feeds = inputs.fill(wanted, given, seed)
    # One layer at a time: then only its tensors are kept.
    for at, (operator, name) in enumerate(zip(operators, names)):
        if name.removeprefix("pd_op.") not in _OPERATORS:
            continue
        tensors = [operator.operand_source(0), operator.operand_source(1), operator.results()[0]]
        try:
            arrays = executor.run(program, feed=feeds, fetch_list=tensors)
        except Exception as error:
            raise CaptureError(f"PaddlePaddle failed: {error}", 3) from None
        attributes = operator.attrs()
        layer = str(attributes.get("struct_name") or "").strip("/") or f"operator {at}"
        _record(recorder, layer, *(numpy.asarray(array) for array in arrays), attributes)
