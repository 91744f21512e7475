# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Counts the transposed convolutions of a model and hashes their filters, with the format's own library alone.

    count_layers.py MODEL...       called by export_models, in the environment of the models' exporter

It uses no code of deconv-cts, so import and capture are compared with an independent reader. It prints a line of JSON
for each model: a list with an entry for each layer. An entry is the SHA-256 of the filter's bytes in the order
[C, O, spatial...], or null if the model computes the filter or the runtime takes it quantised. If a model cannot be
read, the line is the error as a text.
"""
import hashlib
import json
import pathlib
import sys
import xml.etree.ElementTree
import zipfile

import numpy


def digest(array, axes=None):
    """Returns the SHA-256 of an array's bytes, after its axes are put into this order."""
    array = numpy.asarray(array)
    return hashlib.sha256(numpy.ascontiguousarray(array if axes is None else array.transpose(axes)).tobytes()).hexdigest()


# Each function of_*() returns the entries of a file's layers: a hash or None.


def of_onnx(path):
    import onnx
    from onnx import numpy_helper
    from onnx.reference import ReferenceEvaluator
    model = onnx.load(path)
    constants = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
    makers = {name: node for node in model.graph.node for name in node.output}

    def value(name):
        """Returns the array of a constant, also behind these operators; None for other values."""
        if name in constants:
            return constants[name]
        node = makers.get(name)
        if node is None or node.op_type not in ("Constant", "Identity", "Cast", "DequantizeLinear"):
            return None
        inputs = [value(source) for source in node.input]
        if any(array is None for array in inputs):
            return None
        graph = onnx.helper.make_graph([node], "one", [onnx.ValueInfoProto(name=source) for source in node.input],
                                       [onnx.ValueInfoProto(name=name)])
        one = onnx.helper.make_model(graph, opset_imports=model.opset_import, ir_version=model.ir_version)
        return ReferenceEvaluator(one).run(None, dict(zip(node.input, inputs)))[0]

    filters = [value(node.input[1]) for node in model.graph.node if node.op_type == "ConvTranspose"]
    return [None if array is None else digest(array) for array in filters]


def of_ir(path):
    import openvino
    kinds = ("ConvolutionBackpropData", "GroupConvolutionBackpropData")
    count = sum(layer.get("type") in kinds for layer in xml.etree.ElementTree.parse(path).iter("layer"))
    core, filters = openvino.Core(), []

    def value(source):
        """Returns the constant that is a filter, also behind a conversion; None if it is computed."""
        node = source.get_node()
        if node.get_type_name() == "Constant":
            return node
        return value(node.input_value(0)) if node.get_type_name() == "Convert" else None

    for node in core.read_model(path).get_ordered_ops():
        if node.get_type_name() not in kinds:
            continue
        if value(node.input_value(1)) is None:
            filters.append(None)
            continue
        compiled = core.compile_model(openvino.Model([node.input_value(1)], []), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
        filters.append(digest(compiled([])[0]))
    assert count == len(filters)
    return filters


def of_tflite(path):
    from tensorflow.lite.python import schema_py_generated as schema
    model = schema.ModelT.InitFromPackedBuf(path.read_bytes(), 0)
    axes = {schema.BuiltinOperator.TRANSPOSE_CONV: (3, 0, 1, 2), schema.BuiltinOperator.CONV_3D_TRANSPOSE: (4, 3, 0, 1, 2)}
    types = {schema.TensorType.FLOAT32: numpy.float32, schema.TensorType.FLOAT16: numpy.float16}
    filters = []
    for graph in model.subgraphs:
        makers = {output: operator for operator in graph.operators for output in operator.outputs}
        for operator in graph.operators:
            code = model.operatorCodes[operator.opcodeIndex]
            kind = max(code.builtinCode, code.deprecatedBuiltinCode)
            if kind not in axes:
                continue
            at, is_f32 = operator.inputs[1], graph.tensors[operator.inputs[2]].type == schema.TensorType.FLOAT32
            while at in makers and len(makers[at].inputs) == 1:  # DEQUANTIZE of f16
                at = makers[at].inputs[0]
            tensor = graph.tensors[at]
            content = model.buffers[tensor.buffer].data
            if not is_f32 or tensor.type not in types or content is None:
                filters.append(None)
                continue
            array = numpy.frombuffer(bytes(content), types[tensor.type]).reshape(tensor.shape).astype(numpy.float32)
            filters.append(digest(array, axes[kind]))
    return filters


def of_keras(path):
    import keras
    with zipfile.ZipFile(path) as archive:
        count = archive.read("config.json").decode().count("DTranspose\"")
    kernels = [layer.kernel.numpy() for layer in keras.saving.load_model(path).layers if "Transpose" in type(layer).__name__]
    assert count == len(kernels)
    return [digest(kernel, (kernel.ndim - 1, kernel.ndim - 2, *range(kernel.ndim - 2))) for kernel in kernels]


def of_savedmodel(path):
    import tensorflow
    loaded = tensorflow.saved_model.load(path)
    graph = loaded.signatures["serving_default"].graph.as_graph_def()
    nodes = [*graph.node, *(node for function in graph.library.function for node in function.node_def)]
    count = sum("BackpropInput" in node.op for node in nodes)
    kernels = [variable.numpy() for variable in loaded.variables if variable.shape.rank >= 3]
    assert count == len(kernels), (count, len(kernels))
    return [digest(kernel, (kernel.ndim - 1, kernel.ndim - 2, *range(kernel.ndim - 2))) for kernel in kernels]


def of_torch_export(path):
    import torch
    program = torch.export.load(path)
    names = program.graph_signature.inputs_to_parameters
    filters = [names.get(node.args[1].name) for node in program.graph.nodes if "conv_transpose" in str(node.target)]
    return [None if name is None else digest(program.state_dict[name].detach()) for name in filters]


def of_torch_script(path):
    import torch
    model = torch.jit.load(path)
    # Input 6 of aten::_convolution is `transposed`.
    nodes = [node for node in model.inlined_graph.nodes()
             if "conv_transpose" in node.kind() or (node.kind() == "aten::_convolution" and
                                                    list(node.inputs())[6].toIValue() is True)]
    plain = [module.weight.detach() for module in model.modules()
             if module.original_name.startswith("ConvTranspose") and hasattr(module, "weight") and
             "weight" in dict(module.named_parameters(recurse=False))]
    return [digest(weight) for weight in plain] + [None] * (len(nodes) - len(plain))


def of_paddle(path):
    import paddle

    def walk(value):
        """Yields the transposed convolutions in the JSON of a model."""
        if isinstance(value, dict):
            if str(value.get("#", "")).endswith(("conv2d_transpose", "conv3d_transpose")):
                yield value
            for inner in value.values():
                yield from walk(inner)
        elif isinstance(value, list):
            for inner in value:
                yield from walk(inner)

    count = len(list(walk(json.loads(path.read_text()))))
    weights = [array.numpy() for array in paddle.jit.load(str(path.with_suffix(""))).state_dict().values() if array.ndim >= 3]
    # Biases have the rank of the output, with one channel axis that is not 1.
    weights = [array for array in weights if sum(size > 1 for size in array.shape) > 1]
    assert count == len(weights), (count, len(weights))
    return [digest(array) for array in weights]


READERS = {".onnx": of_onnx, ".xml": of_ir, ".tflite": of_tflite, ".keras": of_keras, "": of_savedmodel,
           ".pt2": of_torch_export, ".pt": of_torch_script, ".json": of_paddle}


def main():
    for path in map(pathlib.Path, sys.argv[1:]):
        try:
            answer = READERS["" if path.is_dir() else path.suffix](path)
        except Exception as error:  # pylint: disable=broad-except
            answer = f"{type(error).__name__}: {error}"
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
