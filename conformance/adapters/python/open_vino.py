# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Makes OpenVINO a backend (a library under test) of deconv-cts, the test suite for transposed convolutions.

    python3 -m deconv_backend open_vino.py [--option device=CPU] [--option precision=bf16] [--option filter=parameter]
                               [--option output_shape=parameter]

The suite calls run() with the attributes as a model has them (class Operator of deconv_backend/operators.py). OpenVINO
resolves them itself. Each operator is a model in IR, OpenVINO's own format: XML for the graph, and bytes for the
constants. The graph has one ConvolutionBackpropData or GroupConvolutionBackpropData of opset1.

Choices of this adapter, not of OpenVINO:
- The output in the IR has a dynamic shape, so that the library computes the shape. An absent attribute is left out.
- Filter and output_shape are constants; with filter=parameter or output_shape=parameter they are inputs of the model.
- A device may compute f32 in a smaller type. The adapter asks for f32 (INFERENCE_PRECISION_HINT), as users can, or for
  the type that the option `precision` names. It then offers this type alone.
- It names the primitive that computes the operator, so that reports group failures by it.
- A tensor of bf16 is given as an openvino.Tensor, because NumPy has no bf16. The result's bytes are passed on.
"""
import xml.etree.ElementTree as xml

import deconv_backend
import numpy
import openvino
from deconv_backend.tensors import DTYPES

DEVICE = deconv_backend.option("device", "CPU")
FILTER = deconv_backend.option("filter", "constant", ["constant", "parameter"])
SHAPE = deconv_backend.option("output_shape", "constant", ["constant", "parameter"])
PRECISION = deconv_backend.option("precision", "f32", ["f32", "f16", "bf16"])
TYPES = ["f32", "f64", "f16", "bf16", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"]
PRECISIONS = {"f32": "FP32", "f16": "FP16", "f64": "FP64", "bf16": "BF16", "boolean": "BOOL"}


def precision_of(element_type):
    """Returns the IR's name of an element type: FP32 for f32, I8 for i8."""
    return PRECISIONS.get(element_type, element_type.upper())


def text_of(values):
    return ", ".join(map(str, values))


class Model:
    """Writes the layers and edges of an IR model."""

    def __init__(self):
        self.root = xml.Element("net", name="case", version="11")
        self.layers, self.edges = xml.SubElement(self.root, "layers"), xml.SubElement(self.root, "edges")
        self.weights = b""

    def layer(self, name, kind, attributes=None):
        layer = xml.SubElement(self.layers, "layer", id=str(len(self.layers)), name=name, type=kind, version="opset1")
        if attributes is not None:
            xml.SubElement(layer, "data", attributes)
        return layer

    @staticmethod
    def port(layer, side, number, element_type, dims):
        """Adds a port to a layer, which edges name by its number. `side` is "input" or "output"."""
        parent = layer.find(side)
        parent = xml.SubElement(layer, side) if parent is None else parent
        port = xml.SubElement(parent, "port", id=str(number), precision=precision_of(element_type))
        for dim in dims:
            xml.SubElement(port, "dim").text = str(dim)

    def input(self, name, tensor, values):
        """Adds a layer that gives a tensor: a parameter, or a constant if there are values (bytes)."""
        attributes = {"shape": text_of(tensor.dims), "element_type": tensor.element_type}
        if values is not None:
            self.weights += bytes(-len(self.weights) % 64)  # each constant begins at a multiple of 64 bytes
            attributes |= {"offset": str(len(self.weights)), "size": str(len(values))}
            self.weights += values
        layer = self.layer(name, "Parameter" if values is None else "Const", attributes)
        self.port(layer, "output", 0, tensor.element_type, tensor.dims)
        return layer

    def edge(self, source, source_port, target, target_port):
        """Connects an output port of one layer with an input port of another."""
        xml.SubElement(self.edges, "edge", {"from-layer": source.get("id"), "from-port": str(source_port),
                                            "to-layer": target.get("id"), "to-port": str(target_port)})


def shape_values(shape):
    """Returns the values of output_shape as an array. Its type i64 is NumPy's i8: NumPy counts bytes."""
    return numpy.array(shape.values, f"{shape.element_type[0]}{int(shape.element_type[1:]) // 8}")


def model_of(operator, filter):
    """Returns the IR of an operator, and its weights. `filter` is None if the filter is an input of the model."""
    model = Model()
    sources = [(model.input("data", operator.data, None), operator.data),
               (model.input("filter", operator.filter, None if filter is None else filter.tobytes()), operator.filter)]
    shape = operator.output_shape
    if shape is not None:
        if not shape.element_type[1:].isdigit() or shape.element_type[0] not in "iu":
            raise deconv_backend.Refused(f"output_shape: type {shape.element_type}")
        values = None if SHAPE == "parameter" else shape_values(shape).tobytes()
        sources.append((model.input("output_shape", shape, values), shape))
    attributes = {name: text_of(getattr(operator, name))
                  for name in ("strides", "dilations", "pads_begin", "pads_end", "output_padding")
                  if getattr(operator, name) is not None}
    if operator.auto_pad is not None:
        attributes["auto_pad"] = operator.auto_pad
    deconv = model.layer("deconv", operator.kind, attributes)
    for number, (source, tensor) in enumerate(sources):
        model.port(deconv, "input", number, tensor.element_type, tensor.dims)
        model.edge(source, 0, deconv, number)
    dynamic = [-1] * len(operator.data.dims)  # sizes that the library computes
    model.port(deconv, "output", len(sources), operator.data.element_type, dynamic)
    result = model.layer("result", "Result")
    model.port(result, "input", 0, operator.data.element_type, dynamic)
    model.edge(deconv, len(sources), result, 0)
    return xml.tostring(model.root), model.weights


def model_input(array, tensor):
    """Returns an array as an input of the compiled model."""
    if tensor.element_type != "bf16":
        return array
    return openvino.Tensor(array, openvino.Shape(array.shape), openvino.Type.bf16)


def primitive_of(compiled):
    """Returns the name of OpenVINO's code for the operator in a compiled model, such as brgconv_avx512_i8."""
    try:
        for node in compiled.get_runtime_model().get_ops():
            facts = node.get_rt_info()
            if "layerType" in facts and facts["layerType"].astype(str) == "Deconvolution":
                return facts["primitiveType"].astype(str)
    except (KeyError, RuntimeError):  # a device that does not tell computes all the same
        pass
    return "unknown"


def run(operator, data, filter):
    data = deconv_backend.filled(data, operator.data, "data", DTYPES)
    filter = deconv_backend.filled(filter, operator.filter, "filter", DTYPES)
    as_parameter = FILTER == "parameter"
    text, weights = model_of(operator, None if as_parameter else filter)
    compiled = CORE.compile_model(CORE.read_model(model=text, weights=weights), DEVICE,
                                  {"INFERENCE_PRECISION_HINT": PRECISION})
    inputs = [model_input(data, operator.data)] + ([model_input(filter, operator.filter)] if as_parameter else [])
    if operator.output_shape is not None and SHAPE == "parameter":
        inputs.append(shape_values(operator.output_shape))
    output = numpy.array(next(iter(compiled(inputs).values())))
    # OpenVINO's arrays of bf16 have the dtype float16, which has as many bytes.
    is_bf16 = operator.data.element_type == "bf16" and output.itemsize == 2
    return output.view(numpy.uint16) if is_bf16 else output, primitive_of(compiled)


if __name__ == "__main__":
    CORE = openvino.Core()
    deconv_backend.serve(
        run=run, name=f"openvino-{DEVICE.lower()}" + ("" if PRECISION == "f32" else f"-{PRECISION}"),
        version=openvino.get_version()[:60], dialects=["openvino-runtime"],
        types=TYPES if PRECISION == "f32" else [PRECISION], refuses=[Exception])
