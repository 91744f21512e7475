# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Captures a LiteRT model (.tflite): the tensors around each transposed convolution become outputs of the model.

The operator may have a bias and an activation. The model runs without them, so the data of later layers differ from
those in the whole model; sizes and filters are the same. XNNPACK does not keep filters that it computes once, such as
those stored in f16, so the built-in kernels compute such filters and biases again. Quantised layers have no case and
are named.
"""
import numpy

from deconv_capture import inputs, litert_model
from deconv_capture.recorder import CaptureError
from deconv_capture.tensorflow_reader import record

_ACTIVATIONS = {1: "Relu", 2: "ReluN1To1", 3: "Relu6", 4: "Tanh", 5: "SignBit"}


def _module():
    """Returns the module of the installed interpreter, and the name of the runtime."""
    try:
        from ai_edge_litert import interpreter
        return interpreter, "LiteRT"
    except ImportError:
        pass
    try:
        from tflite_runtime import interpreter
        return interpreter, "TensorFlow Lite"
    except ImportError:
        import tensorflow
        from tensorflow.lite.python import interpreter
        return interpreter, f"TensorFlow Lite of TensorFlow {tensorflow.__version__}"


def _version():
    from importlib import metadata
    try:
        return " " + metadata.version("ai-edge-litert")
    except metadata.PackageNotFoundError:
        return ""


def capture(path, recorder, given, seed):
    """Runs the model on the given inputs, draws the others from the seed, and records its layers."""
    with open(path, "rb") as file:
        content = file.read()
    try:
        model = litert_model.Model(content)
    except CaptureError as error:
        raise CaptureError(f"{path}: {error}") from None
    try:
        module, name = _module()  # after the file is known to be sound, because TensorFlow takes seconds
    except ImportError as error:
        raise CaptureError(f"{path}: {error}; install ai-edge-litert", 3) from None
    recorder.runtime = name + (_version() if name == "LiteRT" else "")
    for at, custom in model.customs:
        recorder.skip(f"operator {at}", f"is the custom operator {custom}, which has no case")
    if model.inner:
        recorder.skip("inner subgraphs", f"{model.inner} transposed convolutions are in bodies of loops or branches")
    if not model.operators:
        return
    # One layer at a time: then only its tensors are kept.
    for operator in model.operators:
        wanted = [operator.inputs[2], operator.outputs[0]] + ([operator.inputs[1]] if operator.weights_computed else [])
        try:
            content = model.with_outputs(wanted)
            interpreter = _run(module.Interpreter(model_content=content), given, seed)
            with_filter = interpreter  # the interpreter that has the values of filter and bias
            if operator.weights_computed:
                kernels = module.OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES
                built_in = module.Interpreter(model_content=content, experimental_op_resolver_type=kernels)
                with_filter = _run(built_in, given, seed)
            arrays, details = _tensors(interpreter, with_filter, operator)
        except (RuntimeError, ValueError) as error:
            raise CaptureError(f"{recorder.runtime} failed: {error}", 3) from None
        _record(recorder, operator, arrays, details)


def _run(interpreter, given, seed):
    """Runs the model, and returns the interpreter with its tensors."""
    described = interpreter.get_input_details()
    wanted = {}
    for tensor in described:
        shape = tensor.get("shape_signature", tensor["shape"])
        shape = shape if len(shape) == len(tensor["shape"]) else tensor["shape"]
        wanted[tensor["name"]] = ([int(dim) if dim >= 0 else None for dim in shape], tensor["dtype"])
    feeds = inputs.fill(wanted, given, seed)
    for tensor in described:
        interpreter.resize_tensor_input(tensor["index"], feeds[tensor["name"]].shape)
    interpreter.allocate_tensors()
    for tensor in described:
        interpreter.set_tensor(tensor["index"], feeds[tensor["name"]])
    interpreter.invoke()
    return interpreter


def _tensors(interpreter, with_filter, operator):
    """Returns the arrays data, filter, output and perhaps bias of an operator, and the interpreter's descriptions of
    the first three. Filter and bias come from the interpreter `with_filter`."""
    details = {tensor["index"]: tensor for tensor in interpreter.get_tensor_details()}
    places = [operator.inputs[2], operator.inputs[1], operator.outputs[0]]
    sources = (interpreter, with_filter, interpreter)
    arrays = [numpy.array(source.get_tensor(place)) for source, place in zip(sources, places)]
    if len(operator.inputs) > 3 and operator.inputs[3] >= 0:
        arrays.append(numpy.array(with_filter.get_tensor(operator.inputs[3])))
    return arrays, [details[place] for place in places]


def _record(recorder, operator, arrays, details):
    """Records an operator, with its tensors in TensorFlow's order of axes. Quantised ones are skipped."""
    data, weights, output = arrays[:3]
    name = details[2]["name"]
    if any(len(tensor["quantization_parameters"]["scales"]) for tensor in details):
        recorder.skip(name, f"is quantised: data {data.dtype}, filter {weights.dtype}")
        return
    if data.ndim == 4:  # the filter is [O, kernel..., I] with two spatial axes, [kernel..., O, I] with three
        weights = weights.transpose(1, 2, 0, 3)
    notes = [f"then {_ACTIVATIONS.get(operator.activation, operator.activation)}"] if operator.activation else []
    record(recorder, name, data, weights, output, [1, *operator.strides, 1], operator.padding, [], "NHWC",
           [1, *operator.dilations, 1], arrays[3] if len(arrays) > 3 else None, notes)
