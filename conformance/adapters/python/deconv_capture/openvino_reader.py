# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Captures a model in OpenVINO: the tensors around each transposed convolution become results of the model.

OpenVINO reads its own IR, ONNX, TensorFlow, LiteRT and PaddlePaddle. In its graph a bias is an Add after the operator,
so it is never in the recorded output.
"""
import numpy

from deconv_capture import inputs
from deconv_capture.recorder import CaptureError, Layer

_KINDS = ("ConvolutionBackpropData", "GroupConvolutionBackpropData")
_BYTES_AT_ONCE = 1 << 30  # of the tensors that one run of the model returns; a guess


def _attributes(node):
    """Returns the attributes of a node under the names that a case line has for them."""
    fields = {}
    for name, value in node.get_attributes().items():
        if name in ("strides", "dilations", "pads_begin", "pads_end", "output_padding"):
            fields[name] = [int(number) for number in value]
        elif name == "auto_pad":
            fields[name] = str(value)
    return fields


def _dims_of(partial_shape):
    """Returns the sizes of an input, a text for an open size, or None if the rank is open."""
    if partial_shape.rank.is_dynamic:
        return None
    return [dim.get_length() if dim.is_static else str(dim) for dim in partial_shape]


def capture(path, recorder, given, seed):
    """Runs the model on the given inputs, draws the others from the seed, and records its layers."""
    try:
        import openvino
    except ImportError as error:
        raise CaptureError(f"{path}: {error}; install openvino", 3) from None
    recorder.runtime = f"OpenVINO {openvino.__version__}"
    core = openvino.Core()
    try:
        model = core.read_model(path)
    except Exception as error:
        raise CaptureError(f"{path}: OpenVINO cannot read the model: {error}") from None
    nodes = [node for node in model.get_ordered_ops() if node.get_type_name() in _KINDS]
    for node in model.get_ordered_ops():
        if node.get_type_name() in ("Loop", "TensorIterator", "If"):
            for inner in _inner_nodes(node):
                recorder.skip(f"{node.get_friendly_name()}/{inner}",
                              "is in the body of a loop or branch, whose tensors cannot be results")
    if not nodes:
        return
    wanted, parameters = {}, {}
    for at, parameter in enumerate(model.inputs):
        name = next(iter(sorted(parameter.get_names())), parameter.get_node().get_friendly_name())
        wanted[name] = (_dims_of(parameter.get_partial_shape()), parameter.get_element_type().to_dtype())
        parameters[name] = at
    feeds = {parameters[name]: array for name, array in inputs.fill(wanted, given, seed).items()}
    results = len(model.outputs)
    waiting, size = nodes, 1  # a run with one layer, then with up to twice as many as the run before
    while waiting:
        group, waiting = waiting[:size], waiting[size:]
        tensors = _run(core, model.clone(), [node.get_friendly_name() for node in group], feeds, results)
        total = 0
        for node, arrays in zip(group, tensors):
            _record(recorder, node, arrays)
            total += sum(array.nbytes for array in arrays)
        size = max(1, min(2 * size, int(_BYTES_AT_ONCE * len(group) / max(total, 1))))


def _inner_nodes(node):
    """Yields the names of the transposed convolutions in the bodies of a loop or branch."""
    for at in range(2):
        try:
            body = node.get_function(at) if hasattr(node, "get_function") else None
        except Exception:  # a loop has one body, a branch has two
            body = None
        if body is not None:
            for inner in body.get_ops():
                if inner.get_type_name() in _KINDS:
                    yield inner.get_friendly_name()


def _run(core, model, names, feeds, results):
    """Runs the model with the tensors of the named layers as further results. Returns for each layer the arrays data,
    filter, output and, if it has one, output_shape. `results` is the number of the model's own results."""
    by_name = {node.get_friendly_name(): node for node in model.get_ops()}
    places, wanted = [], []
    for name in names:
        node = by_name[name]
        values = [node.input_value(0), node.input_value(1), node.output(0)]
        values += [node.input_value(2)] if node.get_input_size() > 2 else []
        places.append(range(results + len(wanted), results + len(wanted) + len(values)))
        wanted += values
    try:
        from openvino import opset13
        for value in wanted:
            model.add_results([opset13.result(value)])
        compiled = core.compile_model(model, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
        answer = compiled(feeds)
    except Exception as error:
        raise CaptureError(f"OpenVINO failed: {error}", 3) from None
    return [[numpy.array(answer[at]) for at in place] for place in places]


def _record(recorder, node, arrays):
    """Records a layer. Its notes name the operators that read the output."""
    data, weights, output = arrays[:3]
    attributes = _attributes(node)
    if len(arrays) > 3:
        attributes["output_shape"] = arrays[3].ravel().tolist()
        if arrays[3].dtype != numpy.int64:
            attributes["output_shape_type"] = {"int32": "i32"}.get(arrays[3].dtype.name, arrays[3].dtype.name)
    readers = [reader.get_node().get_type_name() for reader in node.output(0).get_target_inputs()]
    recorder.record(Layer(node.get_friendly_name(), node.get_type_name(), data, weights, output, attributes,
                          notes=[f"then {' and '.join(sorted(readers))}"] if readers else []))
