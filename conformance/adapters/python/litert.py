# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Makes LiteRT (ai-edge-litert) a backend (a library under test) of deconv-cts, the test suite for transposed
convolutions.

    python3 -m deconv_backend litert.py [--option kernels=xnnpack|builtin|reference] [--option geometry=own]

The suite calls deconv() with sizes and pads that it has computed (class Geometry of deconv_backend/operators.py). Each
operator is a model with one TRANSPOSE_CONV or CONV_3D_TRANSPOSE, which the interpreter runs on the CPU. The kernels
`xnnpack` are LiteRT's default: the delegate XNNPACK runs what it supports. With geometry=own the suite calls run()
instead: LiteRT gets the operator's own attributes, which are judged by the rules of TensorFlow (dialect `tensorflow`).

Choices of this adapter, not of LiteRT:
- With resolved geometry, the padding is VALID or SAME if TensorFlow's rule for it gives the output and pads_begin.
- The filter is a constant of the model. The adapter permutes data, filter and output to LiteRT's order.
- XNNPACK flushes subnormal numbers, and multiplies the zeros of the border. The adapter declares both.
"""
import importlib.metadata

import deconv_backend
import flatbuffers
import numpy
from ai_edge_litert import interpreter as litert
from ai_edge_litert import schema_py_generated as schema

KERNELS = deconv_backend.option("kernels", "xnnpack", ["xnnpack", "builtin", "reference"])
OWN = deconv_backend.option("geometry", "resolved", ["resolved", "own"]) == "own"
RESOLVERS = {"xnnpack": litert.OpResolverType.AUTO, "builtin": litert.OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES,
             "reference": litert.OpResolverType.BUILTIN_REF}


def reason_against(spatial_rank, padding, strides, dilations):
    """Returns the reason why LiteRT does not compute such an operator, or None."""
    if spatial_rank == 2 and max(dilations, default=1) > 1:
        return "TRANSPOSE_CONV has no dilations"
    if spatial_rank == 2 and max(strides, default=1) > 2**15 - 1:
        return "TRANSPOSE_CONV holds a stride in 16 bits"
    if not isinstance(padding, str):
        return "the pads are neither those of VALID nor of SAME"
    return None


def supports(geometry):
    return reason_against(geometry.spatial_rank, geometry.padding_word(), geometry.strides, geometry.dilations)


def supports_operator(operator):
    """Does what supports() does, for the operator's own attributes."""
    padding, strides, dilations, shape = operator.tensorflow_arguments()
    spatial_rank = len(operator.data.dims) - 2
    if spatial_rank < 2 or not len(strides) == len(dilations) == len(shape) - 2 == spatial_rank:
        return "LiteRT has two or three spatial axes, and one option for each"
    return reason_against(spatial_rank, padding, strides, dilations)


def tensor_of(name, shape, kind, buffer):
    """Returns a tensor of the model. `buffer` is the index of the buffer with its values; buffer 0 means none."""
    tensor = schema.TensorT()
    tensor.name, tensor.shape, tensor.type, tensor.buffer = name, [int(size) for size in shape], kind, buffer
    return tensor


def buffer_of(array=None):
    buffer = schema.BufferT()
    if array is not None:
        buffer.data = numpy.frombuffer(array.tobytes(), numpy.uint8)
    return buffer


def operation_of(strides, padding, dilations):
    """Returns (code, options, kind of the options) of the operator in LiteRT's schema."""
    if len(strides) == 2:
        options = schema.TransposeConvOptionsT()
        options.strideH, options.strideW = strides
        operation = schema.BuiltinOperator.TRANSPOSE_CONV, options, schema.BuiltinOptions.TransposeConvOptions
    else:
        options = schema.Conv3DOptionsT()
        options.strideD, options.strideH, options.strideW = strides
        options.dilationDFactor, options.dilationHFactor, options.dilationWFactor = dilations
        operation = schema.BuiltinOperator.CONV_3D_TRANSPOSE, options, schema.BuiltinOptions.Conv3DOptions
    options.padding = {"VALID": schema.Padding.VALID, "SAME": schema.Padding.SAME}[padding]
    return operation


def model_of(operation, values, weights, output_shape):
    """Returns the bytes of the model. `operation` is the result of operation_of(). The model's tensors 0 to 3 are the
    output's shape, the filter, the data and the output. Buffer 0 is empty, as LiteRT wants it."""
    f32, i32 = schema.TensorType.FLOAT32, schema.TensorType.INT32
    code, options, kind = operation
    model, graph, operator, opcode = schema.ModelT(), schema.SubGraphT(), schema.OperatorT(), schema.OperatorCodeT()
    # The deprecated field has one byte: 127 stands for all larger codes.
    opcode.builtinCode, opcode.deprecatedBuiltinCode, opcode.version = code, min(code, 127), 1
    operator.opcodeIndex, operator.inputs, operator.outputs = 0, [0, 1, 2], [3]
    operator.builtinOptions, operator.builtinOptionsType = options, kind
    graph.tensors = [tensor_of("output_shape", [len(output_shape)], i32, 1), tensor_of("filter", weights.shape, f32, 2),
                     tensor_of("data", values.shape, f32, 0), tensor_of("output", output_shape, f32, 0)]
    graph.inputs, graph.outputs, graph.operators, graph.name = [2], [3], [operator], "main"
    model.version, model.operatorCodes, model.subgraphs = 3, [opcode], [graph]  # version 3 of the schema
    model.buffers = [buffer_of(), buffer_of(numpy.array(output_shape, numpy.int32)), buffer_of(weights)]
    builder = flatbuffers.Builder(1024 + weights.nbytes)
    builder.Finish(model.Pack(builder), b"TFL3")
    return bytes(builder.Output())


def compute(data, filter, shape, strides, padding, dilations):
    """Runs a model on data [N, C, spatial...] with a filter [C, O, spatial...]."""
    values = numpy.ascontiguousarray(numpy.moveaxis(data, 1, -1))
    # TRANSPOSE_CONV has the filter [O, H, W, C], and CONV_3D_TRANSPOSE [D, H, W, O, C].
    order = (1, 2, 3, 0) if len(strides) == 2 else (2, 3, 4, 1, 0)
    weights = numpy.ascontiguousarray(filter.transpose(order))
    model = model_of(operation_of(strides, padding, dilations), values, weights, shape)
    interpreter = litert.Interpreter(model_content=model, num_threads=1, experimental_op_resolver_type=RESOLVERS[KERNELS])
    interpreter.allocate_tensors()
    interpreter.set_tensor(interpreter.get_input_details()[0]["index"], values)
    interpreter.invoke()
    return numpy.moveaxis(interpreter.get_tensor(interpreter.get_output_details()[0]["index"]), -1, 1)


def deconv(data, filter, geometry):
    shape = [geometry.batch, *geometry.output, geometry.out_channels]
    return compute(data, filter[0], shape, geometry.strides, geometry.padding_word(), geometry.dilations)


def run(operator, data, filter):
    if reason := supports_operator(operator):
        raise deconv_backend.Unsupported(reason)
    padding, strides, dilations, shape = operator.tensorflow_arguments()
    if operator.data.element_type != "f32" or operator.filter.element_type != "f32" or len(operator.filter.dims) != len(shape):
        raise deconv_backend.Unsupported("the model has f32, and a filter of the rank of data")
    data = deconv_backend.filled(data, operator.data, "data", ["f32"])
    filter = deconv_backend.filled(filter, operator.filter, "filter", ["f32"])
    return compute(data, filter, shape, strides, padding, dilations)


if __name__ == "__main__":
    arithmetic = {"subnormals": "flushed", "known_deviations": ["structural-nan"]} if KERNELS == "xnnpack" else {}
    functions = ({"run": run, "supports": supports_operator, "dialects": ["tensorflow"]} if OWN else
                 {"deconv": deconv, "supports": supports})
    deconv_backend.serve(
        name=f"litert-{KERNELS}", version=importlib.metadata.version("ai-edge-litert"),
        types=["f32"], min_rank=4, max_rank=5, max_attribute=2**31 - 1, unsupported=["groups", "negative-pads"],
        refuses=[RuntimeError], **functions, **arithmetic)
