# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Captures an ONNX model in ONNX Runtime: the tensors around each ConvTranspose become outputs of the model.

A bias is moved into a node Add after the ConvTranspose, so that the recorded output is the output without the bias.
The model runs a few times, each time with the outputs of some layers, so that not all tensors are in memory at once.
"""
import os

import numpy

from deconv_capture import inputs
from deconv_capture.recorder import CaptureError, Layer

_ACTIVATIONS = {"Relu", "LeakyRelu", "PRelu", "Sigmoid", "Tanh", "HardSwish", "HardSigmoid", "Clip", "Elu", "Selu",
                "Gelu", "Softplus", "BatchNormalization"}
_BYTES_AT_ONCE = 1 << 30  # of the tensors that one run of the model returns; a guess


def _conv_transposes(graph, prefix=""):
    """Yields (node, name, whether it is in a subgraph) of all nodes whose operator is a transposed convolution."""
    for node in graph.node:
        name = prefix + (node.name or (node.output[0] if node.output else ""))
        if "ConvTranspose" in node.op_type or node.op_type == "Deconvolution":
            yield node, name, bool(prefix)
        for attribute in node.attribute:
            for inner in [attribute.g] if attribute.HasField("g") else attribute.graphs:
                yield from _conv_transposes(inner, name + "/")


def _flaw_of(node):
    """Returns what is wrong with the inputs and outputs of a ConvTranspose, or "". An empty name is an absent value."""
    names = list(node.input)
    if len(names) >= 2 and all(names[:2]) and not any(names[3:]) and node.output and node.output[0]:
        return ""
    absent = [role for role, name in zip(("data", "filter"), names) if not name]
    return (f"found {sum(map(bool, names))} inputs and {sum(map(bool, node.output))} outputs, expected 2 or 3 inputs "
            f"(data, filter, bias) and 1 output{'; empty names: ' + ', '.join(absent) if absent else ''}")


class _Split:
    """A model whose biases are moved into separate nodes. `layers` has (node, name, bias, name of the sum) of each
    ConvTranspose that can be recorded; the others are told to the recorder. A bias is a value's name, or ""."""

    def __init__(self, onnx, model, recorder):
        self.model, self.layers = model, []
        graph = model.graph
        taken = {name for node in graph.node for name in node.output}  # names of values, which must be unique
        for node, name, inside in list(_conv_transposes(graph)):
            if node.op_type != "ConvTranspose" or node.domain not in ("", "ai.onnx"):
                recorder.skip(name, f"operator {node.op_type} of domain '{node.domain}' has no case")
            elif flaw := _flaw_of(node):
                recorder.skip(name, flaw)
            elif inside:
                recorder.skip(name, "is in the body of a loop or branch, whose tensors cannot be outputs")
            else:
                bias = node.input[2] if len(node.input) > 2 else ""
                sum_name, spatial = node.output[0], self._spatial_axes(node)
                if bias and spatial is None:
                    recorder.skip(name, "its filter's rank is unknown, so its bias cannot be moved")
                    continue
                if bias:
                    self._move_bias(onnx, node, bias, spatial, taken)
                self.layers.append((node, name, bias, sum_name))

    def _move_bias(self, onnx, node, bias, spatial, taken):
        """Replaces output = ConvTranspose(..., bias) by output = Add(ConvTranspose(...), Reshape(bias))."""
        graph = self.model.graph

        def new(suffix):  # a name that no value of the graph has
            name = f"{node.output[0]}_deconv_capture_{suffix}"
            while name in taken:
                name += "_"
            taken.add(name)
            return name

        plain, shape, shaped, total = new("plain"), new("shape"), new("bias"), node.output[0]
        del node.input[2:]
        node.output[0] = plain
        at = list(graph.node).index(node)
        graph.initializer.append(onnx.numpy_helper.from_array(numpy.int64([1, -1] + [1] * spatial), shape))
        graph.node.insert(at + 1, onnx.helper.make_node("Reshape", [bias, shape], [shaped]))
        graph.node.insert(at + 2, onnx.helper.make_node("Add", [plain, shaped], [total]))

    def _spatial_axes(self, node):
        """Returns the number of spatial axes, or None if neither an attribute nor the filter tells it."""
        for attribute in node.attribute:
            if attribute.name in ("kernel_shape", "strides", "dilations"):
                return len(attribute.ints)
        for tensor in self.model.graph.initializer:
            if tensor.name == node.input[1]:
                return len(tensor.dims) - 2
        return None

    def activation_of(self, name):
        """Returns the operator that reads this value if it is an activation and the only reader, else None."""
        readers = [node.op_type for node in self.model.graph.node if name in node.input]
        return readers[0] if len(readers) == 1 and readers[0] in _ACTIVATIONS else None


def _attributes(onnx, node):
    """Returns the attributes of a node under the names that a case line has for them."""
    fields = {}
    for attribute in node.attribute:
        value = onnx.helper.get_attribute_value(attribute)
        if attribute.name == "pads":
            fields["pads_begin"], fields["pads_end"] = value[:len(value) // 2], value[len(value) // 2:]
        elif attribute.name == "group":
            fields["groups"] = value
        elif attribute.name == "output_shape":
            fields["output_shape_attribute"] = value
        else:
            fields[attribute.name] = value.decode() if isinstance(value, bytes) else value
    return fields


def _numpy_type(runtime_type):
    """Converts a type of ONNX Runtime to NumPy's: "tensor(float)" to "float32"."""
    names = {"float": "float32", "double": "float64", "float16": "float16", "bool": "bool"}
    inner = runtime_type.partition("(")[2].rstrip(")")
    return names.get(inner, inner if inner.startswith(("int", "uint")) else "object")


def _load(onnx, path):
    """Returns the model without the contents of its external files. Its functions are replaced by their nodes."""
    try:
        model = onnx.load(path, load_external_data=False)
    except Exception as error:  # protobuf's own classes differ between versions
        raise CaptureError(f"{path}: is not an ONNX model: {error}") from None
    if model.functions:
        import onnx.inliner
        try:
            model = onnx.inliner.inline_local_functions(model)
        except Exception as error:  # the package has classes of its own
            raise CaptureError(f"{path}: its functions cannot be inlined: {error}") from None
    return model


def capture(path, recorder, given, seed):
    """Runs the model on the given inputs, draws the others from the seed, and records its layers."""
    try:
        import onnx
        import onnxruntime
    except ImportError as error:
        raise CaptureError(f"{path}: {error}; install onnx and onnxruntime", 3) from None
    recorder.runtime = f"ONNX Runtime {onnxruntime.__version__}"
    model = _load(onnx, path)
    split = _Split(onnx, model, recorder)
    if not split.layers:
        return
    constants = {tensor.name: tensor for tensor in model.graph.initializer}
    initial_outputs = [output.name for output in model.graph.output]
    settings = onnxruntime.SessionOptions()
    settings.log_severity_level = 3
    folder = os.path.dirname(os.path.abspath(path))
    settings.add_session_config_entry("session.model_external_initializers_file_folder_path", folder)
    runner = _Runner(onnx, onnxruntime, model, settings)
    feeds = None
    opset = max((entry.version for entry in model.opset_import if entry.domain in ("", "ai.onnx")), default=1)
    if recorder.dialect is None and not 10 < opset < 22:
        recorder.dialect = "onnx-1" if opset <= 10 else "onnx-22"
    waiting, size = list(split.layers), 1  # a run with one layer, then with up to twice as many as the run before
    while waiting:
        group, waiting = waiting[:size], waiting[size:]
        names = {name for node, _, bias, _ in group for name in (node.input[0], node.input[1], node.output[0], bias)
                 if name and name not in constants}
        session = runner.session(names, initial_outputs)
        if feeds is None:
            feeds = inputs.fill({value.name: (value.shape, _numpy_type(value.type)) for value in session.get_inputs()},
                                given, seed)
        values = runner.run(session, sorted(names - set(feeds)), feeds)
        values.update((name, feeds[name]) for name in names & set(feeds))
        for node, name, bias, total in group:
            for input_name in (*node.input[:2], bias):
                if input_name in constants and input_name not in values:
                    values[input_name] = onnx.numpy_helper.to_array(constants[input_name], folder)
            activation = split.activation_of(total)
            recorder.record(Layer(name, "ConvTranspose", values[node.input[0]], values[node.input[1]],
                                  values[node.output[0]], _attributes(onnx, node), values.get(bias),
                                  notes=[f"then {activation}"] if activation else []))
        layer_bytes = sum(array.nbytes for array in values.values()) / len(group)
        size = max(1, min(2 * size, int(_BYTES_AT_ONCE / max(layer_bytes, 1))))


class _Runner:
    """Runs the model with additional outputs: session() adds them, and run() returns the values of outputs by name."""

    def __init__(self, onnx, onnxruntime, model, settings):
        self.onnx, self.onnxruntime, self.model, self.settings = onnx, onnxruntime, model, settings

    def session(self, names, initial_outputs):
        """Returns a session of the model with these values as outputs, behind its own outputs."""
        graph = self.model.graph
        del graph.output[len(initial_outputs):]
        inputs_known = {value.name for value in graph.input}
        for name in sorted(names - set(initial_outputs) - inputs_known):
            graph.output.append(self.onnx.ValueInfoProto(name=name))
        try:
            return self.onnxruntime.InferenceSession(self.model.SerializeToString(), self.settings,
                                                     providers=["CPUExecutionProvider"])
        except Exception as error:  # the runtime has a class for each of its codes
            raise CaptureError(f"ONNX Runtime cannot load the model: {error}", 3) from None

    def run(self, session, names, feeds):
        try:
            return dict(zip(names, session.run(names, feeds)))
        except Exception as error:
            raise CaptureError(f"ONNX Runtime failed: {error}", 3) from None
