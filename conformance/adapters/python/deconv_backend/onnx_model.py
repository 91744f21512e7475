# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Writes an ONNX model with a single ConvTranspose, as the bytes of its protocol buffer.

It uses only a few fields of onnx.proto, so that adapters of ONNX libraries do not need ONNX's own package. Comments give
the fields' names and numbers.

In a protocol buffer a field is a key and a value. The key is 8 * number + wire type. Wire type 0 is an integer, and 2
is a length with as many bytes: a text, or a message with fields of its own. Example: the bytes 42 02 10 0B
(hexadecimal) are field 8, a message of 2 bytes. In it, 10 0B is field 2, the integer 11.
"""

ELEMENT_TYPES = {
    "f32": 1, "u8": 2, "i8": 3, "u16": 4, "i16": 5, "i32": 6, "i64": 7, "string": 8, "boolean": 9, "f16": 10, "f64": 11,
    "u32": 12, "u64": 13, "bf16": 16,
}


def _varint(value):
    """Encodes an integer: 7 bits a byte, the lowest first, and the bit 128 in all bytes but the last. 300 is AC 02. A
    negative integer is encoded as value + 2^64."""
    value %= 1 << 64
    content = bytearray()
    while value > 127:
        content.append(value & 127 | 128)
        value >>= 7
    content.append(value)
    return bytes(content)


def _integer(field, value):
    """Returns a field with an integer."""
    return _varint(field << 3) + _varint(value)


def _bytes(field, *parts):
    """Returns a field with a text, bytes or a message. The parts are joined: a message is the fields in it."""
    content = b"".join(part.encode(errors="replace") if isinstance(part, str) else bytes(part) for part in parts)
    return _varint(field << 3 | 2) + _varint(len(content)) + content


def _attribute(name, value):
    """Returns an attribute of a node. `value` is a text, an integer or a list of integers."""
    # AttributeProto: name 1, i 3, s 4, ints 8, type 20 (INT 2, STRING 3, INTS 7).
    if isinstance(value, str):
        parts = [_bytes(4, value), _integer(20, 3)]
    elif isinstance(value, int):
        parts = [_integer(3, value), _integer(20, 2)]
    else:
        parts = [*(_integer(8, item) for item in value), _integer(20, 7)]
    return _bytes(5, _bytes(1, name), *parts)  # NodeProto.attribute


def _value_info(field, name, element_type, dims):
    """Returns a field that describes an input or output of the graph. A dim that is None is left open."""
    # ValueInfoProto: name 1, type 2; TypeProto.tensor_type 1; Tensor: elem_type 1, shape 2; TensorShapeProto.dim 1;
    # Dimension: dim_value 1.
    shape = _bytes(2, *(_bytes(1, b"" if dim is None else _integer(1, dim)) for dim in dims))
    return _bytes(field, _bytes(1, name), _bytes(2, _bytes(1, _integer(1, ELEMENT_TYPES[element_type]), shape)))


def supports_conv_transpose(operator):
    """Returns the reason why an adapter of ONNX models does not run the operator, or None: an argument of serve()."""
    return "a third input is a bias, which is not driven" if operator.output_shape is not None else None


def conv_transpose_attributes(operator):
    """Returns the attributes of the node, as the operator has them."""
    attributes = {name: getattr(operator, name)
                  for name in ("strides", "dilations", "output_padding", "kernel_shape", "auto_pad")
                  if getattr(operator, name) is not None}
    if operator.output_shape_attribute is not None:
        attributes["output_shape"] = operator.output_shape_attribute
    if operator.groups is not None:
        attributes["group"] = operator.groups
    begins, ends = operator.pads_begin, operator.pads_end
    if begins is not None or ends is not None:
        attributes["pads"] = [*(begins if begins is not None else [0] * len(ends)),
                              *(ends if ends is not None else [0] * len(begins))]
    return attributes


def conv_transpose_model(operator, filter=None, opset=11):
    """Returns the bytes of a model with input X and output Y.

    `filter` is the array of the weights: the model then has them as an initializer W, as a trained model has. With None,
    W is a second input. The model leaves the sizes of Y open.
    """
    # NodeProto: input 1, output 2, op_type 4.
    node = _bytes(1, _bytes(1, "X"), _bytes(1, "W"), _bytes(2, "Y"), _bytes(4, "ConvTranspose"),
                  *(_attribute(name, value) for name, value in conv_transpose_attributes(operator).items()))
    element_type, weights = operator.data.element_type, operator.filter
    inputs = [_value_info(11, "X", element_type, operator.data.dims)]
    initializers = []
    if filter is None:
        inputs.append(_value_info(11, "W", weights.element_type, weights.dims))
    else:
        # TensorProto: dims 1, data_type 2, name 8, raw_data 9.
        initializers.append(_bytes(5, *(_integer(1, dim) for dim in weights.dims),
                                   _integer(2, ELEMENT_TYPES[weights.element_type]), _bytes(8, "W"),
                                   _bytes(9, filter.tobytes())))
    # GraphProto: node 1, name 2, initializer 5, input 11, output 12.
    graph = [node, _bytes(2, "graph"), *initializers, *inputs,
             _value_info(12, "Y", element_type, [None] * len(operator.data.dims))]
    # ModelProto: ir_version 1, graph 7, opset_import 8; OperatorSetIdProto: version 2.
    return _integer(1, 8) + _bytes(7, *graph) + _bytes(8, _integer(2, opset))
