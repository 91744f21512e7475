# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Captures in TensorFlow and Keras, whose transposed convolutions are the operators Conv2DBackpropInput and
Conv3DBackpropInputV2.

Scripts and Keras models run eagerly, and the functions behind these operators are watched. A SavedModel is a graph: its
constants are folded in, and the tensors around each operator become outputs.

TensorFlow gives the size of the output, and `padding` follows from it. The case has the pads as numbers, and its
tensors have the channels before the spatial axes; its values are those of the runtime.
"""
import contextlib
import os
import sys
import warnings

import numpy

from deconv_capture import inputs
from deconv_capture.recorder import CaptureError, Layer, program_line

_OPERATORS = {"Conv2DBackpropInput": 2, "Conv3DBackpropInput": 3, "Conv3DBackpropInputV2": 3}


def geometry(padding, explicit, size, kernel, stride, dilation, output):
    """Returns (pads_begin, pads_end, output_padding) of one axis. `padding` is SAME, VALID or EXPLICIT, and `explicit`
    has the two explicit pads. Example: data 5, kernel 3, stride 2 and output 10 with SAME give (0, 1, 0)."""
    reach = (size - 1) * stride + (kernel - 1) * dilation + 1  # the output's size without pads
    begin = explicit[0] if padding == "EXPLICIT" else max(0, reach - output) // 2 if padding == "SAME" else 0
    end = reach - begin - output
    return begin, max(0, end), max(0, -end)


def record(recorder, name, data, weights, output, strides, padding, explicit, data_format, dilations, bias=None,
           notes=()):
    """Records one call. The lists have a number for each axis of the tensors; `weights` is [kernel..., O/G, C]."""
    rank = data.ndim
    last = data_format.endswith("C")
    spatial = list(range(1, rank - 1)) if last else list(range(2, rank))
    channel = rank - 1 if last else 1
    pads = [geometry(padding, explicit[2 * axis:2 * axis + 2], data.shape[axis], weights.shape[at], strides[axis],
                     dilations[axis], output.shape[axis]) for at, axis in enumerate(spatial)]
    attributes = {"strides": [strides[axis] for axis in spatial], "dilations": [dilations[axis] for axis in spatial],
                  "pads_begin": [pad[0] for pad in pads], "pads_end": [pad[1] for pad in pads],
                  "output_padding": [pad[2] for pad in pads]}
    groups = output.shape[channel] // max(1, weights.shape[-2])
    if groups != 1:
        attributes["groups"] = groups
    first = [0, channel, *spatial]  # the order of axes with the channels first
    kernel_first = [rank - 1, rank - 2, *range(rank - 2)]
    if recorder.wants(name, "ConvTranspose", data.shape, weights.shape, attributes):
        recorder.record(Layer(name, "ConvTranspose", data.transpose(first), weights.transpose(kernel_first),
                              output.transpose(first), attributes, bias,
                              "bf16" if data.dtype.name == "bfloat16" else None,
                              [f"padding {padding} of TensorFlow" + (", channels last" if last else ""), *notes]))


def _caller():
    """Returns the name of the Keras layer that calls, or the file and line of the program; None for a gradient."""
    frame = sys._getframe(2)
    while frame is not None:
        if os.path.basename(frame.f_code.co_filename) == "nn_grad.py":
            return None
        owner = frame.f_locals.get("self")
        if type(owner).__module__.startswith(("keras", "tf_keras")) and hasattr(owner, "kernel"):
            return getattr(owner, "path", None) or owner.name
        frame = frame.f_back
    packages = (f"{os.sep}site-packages{os.sep}", f"{os.sep}dist-packages{os.sep}")
    return program_line(sys._getframe(2), lambda file: any(folder in file for folder in packages))


@contextlib.contextmanager
def watching(tensorflow, recorder):
    """Records the calls in the body of `with`. Compiled functions run eagerly there, because a graph has no values."""
    from tensorflow.python.ops import gen_nn_ops
    recorder.runtime = recorder.runtime or f"TensorFlow {tensorflow.__version__}"

    def watched(function, default_format, axes):
        def call(input_sizes, filter, out_backprop, strides, padding, *others, **named):
            output = function(input_sizes, filter, out_backprop, strides, padding, *others, **named)
            name = _caller()
            if name is not None and hasattr(output, "numpy") and not others:
                ones = [1] * (axes + 2)
                record(recorder, name, numpy.asarray(out_backprop), numpy.asarray(filter), numpy.asarray(output),
                       list(strides), padding.decode() if isinstance(padding, bytes) else padding,
                       list(named.get("explicit_paddings") or []), named.get("data_format") or default_format,
                       list(named.get("dilations") or ones))
            return output
        return call

    with contextlib.ExitStack() as stack:
        for name, default_format, axes in (("conv2d_backprop_input", "NHWC", 2),
                                           ("conv3d_backprop_input_v2", "NDHWC", 3)):
            function = getattr(gen_nn_ops, name)
            setattr(gen_nn_ops, name, watched(function, default_format, axes))
            stack.callback(setattr, gen_nn_ops, name, function)
        before = tensorflow.config.functions_run_eagerly()
        tensorflow.config.run_functions_eagerly(True)
        stack.enter_context(warnings.catch_warnings())
        warnings.filterwarnings("ignore", "Even though the `tf.config", UserWarning)  # the owner of a script set nothing
        stack.callback(tensorflow.config.run_functions_eagerly, before)
        yield


def _capture_keras(tensorflow, path, recorder, given, seed):
    """Runs a Keras model eagerly and records its calls."""
    import keras
    recorder.runtime = f"Keras {keras.__version__} on TensorFlow {tensorflow.__version__}"
    try:
        model = keras.saving.load_model(path, compile=False)
    except Exception as error:
        raise CaptureError(f"{path}: Keras cannot load it: {error}") from None
    wanted = {tensor.name: (list(tensor.shape), tensor.dtype) for tensor in model.inputs}
    feeds = inputs.fill(wanted, given, seed)
    with watching(tensorflow, recorder):
        arrays = [tensorflow.constant(feeds[name]) for name in wanted]
        model(arrays if len(arrays) > 1 else arrays[0], training=False)


def _capture_saved_model(tensorflow, path, recorder, given, seed):
    """Runs the graph of a SavedModel once for each operator, up to its tensors."""
    from tensorflow.python.framework.convert_to_constants import convert_variables_to_constants_v2
    try:
        loaded = tensorflow.saved_model.load(path)
    except Exception as error:
        raise CaptureError(f"{path}: TensorFlow cannot load it: {error}") from None
    if not loaded.signatures:
        raise CaptureError(f"{path}: has no signature; call it in a script and capture the script")
    key = "serving_default" if "serving_default" in loaded.signatures else sorted(loaded.signatures)[0]
    function = convert_variables_to_constants_v2(loaded.signatures[key])
    wanted = {tensor.name.split(":")[0]: ([dim for dim in tensor.shape] if tensor.shape.rank is not None else None,
                                          tensor.dtype.as_numpy_dtype) for tensor in function.inputs}
    feeds = inputs.fill(wanted, given, seed)
    arrays = [tensorflow.constant(feeds[name]) for name in wanted]
    # One operator at a time: then only its tensors are kept.
    for operation in function.graph.get_operations():
        if operation.type not in _OPERATORS:
            continue
        weights, data = operation.inputs[1], operation.inputs[2]
        pruned = function.prune([tensor.name for tensor in function.inputs],
                                [data.name, weights.name, operation.outputs[0].name])
        data, weights, output = (numpy.asarray(value) for value in pruned(*arrays))
        axes = _OPERATORS[operation.type]

        def attribute(name, otherwise):
            return operation.get_attr(name) if name in operation.node_def.attr else otherwise

        record(recorder, operation.name, data, weights, output, attribute("strides", None),
               attribute("padding", b"VALID").decode(), attribute("explicit_paddings", []),
               attribute("data_format", b"NHWC" if axes == 2 else b"NDHWC").decode(),
               attribute("dilations", [1] * (axes + 2)))


def capture(path, recorder, given, seed):
    """Runs the model on the given inputs, draws the others from the seed, and records its layers."""
    os.environ.setdefault("KERAS_BACKEND", "tensorflow")
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
    try:
        import tensorflow
    except ImportError as error:
        raise CaptureError(f"{path}: {error}; install tensorflow", 3) from None
    recorder.runtime = f"TensorFlow {tensorflow.__version__}"
    try:
        if os.path.isdir(path):
            _capture_saved_model(tensorflow, path, recorder, given, seed)
        else:
            _capture_keras(tensorflow, path, recorder, given, seed)
    except CaptureError:
        raise
    except Exception as error:  # the runtime has a class for each of its codes
        raise CaptureError(f"TensorFlow failed: {type(error).__name__}: {error}", 3) from None
