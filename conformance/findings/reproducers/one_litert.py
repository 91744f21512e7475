# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Runs one TRANSPOSE_CONV or CONV_3D_TRANSPOSE of LiteRT along its last axis, for the reproducers litert-*.py here.

The model of one operator is built in memory, as the schema of the file format defines it.
"""
import os

os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # LiteRT says there which delegate it uses

import flatbuffers  # noqa: E402
import numpy  # noqa: E402
from ai_edge_litert import interpreter as litert  # noqa: E402
from ai_edge_litert import schema_py_generated as schema  # noqa: E402


def tensor(shape, kind, buffer):
    """A tensor of the model. `buffer` is the index of the buffer with its values; 0: it has none."""
    made = schema.TensorT()
    made.name, made.shape, made.type, made.buffer = f"t{buffer}", shape, kind, buffer
    return made


def buffer(array=None):
    """A buffer with the values of the array, or an empty one."""
    made = schema.BufferT()
    if array is not None:
        made.data = numpy.frombuffer(array.tobytes(), numpy.uint8)
    return made


def run(data, filter, axes, resolver, stride=1, size=None):
    """Returns the output as a list. `data` and `filter` are lists along the last of 2 or 3 axes, with one channel.

    There are no pads (VALID). `size` is the output size that the operator is given, by default the one that fits.
    `resolver` chooses the implementation: the delegate XNNPACK or the kernels of LiteRT itself.
    """
    size = stride * (len(data) - 1) + len(filter) if size is None else size
    if axes == 3:
        sizes = [[1, 1, 1, len(data), 1], [1, 1, len(filter), 1, 1]]
    else:
        sizes = [[1, 1, len(data), 1], [1, 1, len(filter), 1]]
    output = [*sizes[0][:-2], size, 1]
    graph, operator, code, model = schema.SubGraphT(), schema.OperatorT(), schema.OperatorCodeT(), schema.ModelT()
    if axes == 3:
        options, code.builtinCode = schema.Conv3DOptionsT(), schema.BuiltinOperator.CONV_3D_TRANSPOSE
        options.strideD, options.strideH, options.strideW = 1, 1, stride
        operator.builtinOptionsType = schema.BuiltinOptions.Conv3DOptions
    else:
        options, code.builtinCode = schema.TransposeConvOptionsT(), schema.BuiltinOperator.TRANSPOSE_CONV
        options.strideH, options.strideW = 1, stride
        operator.builtinOptionsType = schema.BuiltinOptions.TransposeConvOptions
    # Older readers look at the deprecated field, which holds numbers up to 127.
    code.deprecatedBuiltinCode, code.version, options.padding = min(code.builtinCode, 127), 1, schema.Padding.VALID
    operator.builtinOptions, operator.inputs, operator.outputs = options, [0, 1, 2], [3]
    kinds = schema.TensorType
    graph.tensors = [tensor([len(output)], kinds.INT32, 1), tensor(sizes[1], kinds.FLOAT32, 2),
                     tensor(sizes[0], kinds.FLOAT32, 0), tensor(output, kinds.FLOAT32, 0)]
    graph.inputs, graph.outputs, graph.operators = [2], [3], [operator]
    model.version, model.operatorCodes, model.subgraphs = 3, [code], [graph]
    model.buffers = [buffer(), buffer(numpy.array(output, numpy.int32)), buffer(numpy.array(filter, numpy.float32))]
    builder = flatbuffers.Builder(1024)
    builder.Finish(model.Pack(builder), b"TFL3")
    interpreter = litert.Interpreter(model_content=bytes(builder.Output()), experimental_op_resolver_type=resolver)
    interpreter.allocate_tensors()
    interpreter.set_tensor(2, numpy.array(data, numpy.float32).reshape(sizes[0]))
    interpreter.invoke()
    return interpreter.get_tensor(3).flatten().tolist()
