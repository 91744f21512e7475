// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes an ONNX model with a single ConvTranspose, as the bytes of its protocol buffer. It uses only a few fields of
// onnx.proto. Comments give their names and numbers.
//
// In a protocol buffer a field is a key and a value. The key is 8 * number + wire type. Wire type 0 is an integer, and
// 2 is a length with as many bytes: a text, or a message with fields of its own. Example: the bytes 42 02 10 0B
// (hexadecimal) are field 8, a message of 2 bytes. In it, 10 0B is field 2, the integer 11.

const ELEMENT_TYPES = {
  f32: 1, u8: 2, i8: 3, u16: 4, i16: 5, i32: 6, i64: 7, string: 8, boolean: 9, f16: 10, f64: 11, u32: 12, u64: 13,
  bf16: 16,
};

// An integer: 7 bits a byte, the lowest first, and the bit 128 in all bytes but the last. 300 is AC 02.
function varint(value) {
  let rest = BigInt.asUintN(64, BigInt(value));
  const bytes = [];
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return Buffer.from([...bytes, Number(rest)]);
}

// A field with an integer.
const integer = (field, value) => Buffer.concat([varint(field << 3), varint(value)]);

// A field with a text, bytes or a message. The parts are joined: a message is the fields in it.
function bytes(field, ...parts) {
  const content = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
  return Buffer.concat([varint((field << 3) | 2), varint(content.length), content]);
}

// A list: one field for each integer.
const integers = (field, values) => values.map((value) => integer(field, value));

// AttributeProto: name 1, i 3, s 4, ints 8, type 20 (INT 2, STRING 3, INTS 7).
function attribute(name, value) {
  const parts = Array.isArray(value)
    ? [...integers(8, value), integer(20, 7)]
    : typeof value === 'string' ? [bytes(4, value), integer(20, 3)] : [integer(3, value), integer(20, 2)];
  return bytes(5, bytes(1, name), ...parts);  // NodeProto.attribute
}

// ValueInfoProto: name 1, type 2; TypeProto.tensor_type 1; Tensor: elem_type 1, shape 2; TensorShapeProto.dim 1;
// Dimension: dim_value 1.
function valueInfo(field, name, type, dims) {
  const shape = dims === undefined ? [] : [bytes(2, ...dims.map((dim) => bytes(1, integer(1, dim))))];
  return bytes(field, bytes(1, name), bytes(2, bytes(1, integer(1, ELEMENT_TYPES[type]), ...shape)));
}

// The attributes of the node, as the operator has them.
function attributesOf(operator) {
  const attributes = {};
  for (const name of ['strides', 'dilations', 'output_padding', 'kernel_shape', 'auto_pad']) {
    if (operator[name] !== undefined) attributes[name] = operator[name];
  }
  if (operator.output_shape_attribute !== undefined) attributes.output_shape = operator.output_shape_attribute;
  if (operator.groups !== undefined) attributes.group = operator.groups;
  const { pads_begin: begins, pads_end: ends } = operator;
  if (begins !== undefined || ends !== undefined) {
    const zeros = (begins ?? ends).map(() => 0n);
    attributes.pads = [...(begins ?? zeros), ...(ends ?? zeros)];
  }
  return attributes;
}

/** Returns the model's bytes. `filter` has the bytes of the weights, an initializer as in a trained model. */
export function convTransposeModel(operator, filter, opset = 11) {
  const { element_type: type, dims: dataDims } = operator.data;
  const { element_type: filterType, dims: filterDims } = operator.filter;
  // NodeProto: input 1, output 2, op_type 4.
  const node = bytes(1, bytes(1, 'X'), bytes(1, 'W'), bytes(2, 'Y'), bytes(4, 'ConvTranspose'),
    ...Object.entries(attributesOf(operator)).map(([name, value]) => attribute(name, value)));
  // TensorProto: dims 1, data_type 2, name 8, raw_data 9.
  const weights = bytes(5, ...integers(1, filterDims), integer(2, ELEMENT_TYPES[filterType]), bytes(8, 'W'),
    bytes(9, filter));
  // GraphProto: node 1, name 2, initializer 5, input 11, output 12.
  const graph = [node, bytes(2, 'graph'), weights, valueInfo(11, 'X', type, dataDims), valueInfo(12, 'Y', type)];
  // ModelProto: ir_version 1, graph 7, opset_import 8; OperatorSetIdProto: version 2.
  return Buffer.concat([integer(1, 8), bytes(7, ...graph), bytes(8, integer(2, opset))]);
}
