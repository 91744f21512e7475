// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs exported ONNX cases on ONNX Runtime and compares each output with its tolerance. After `npm ci`:
//   deconv-cts export --format onnx --out models --level smoke --filter '*.onnxruntime'
//   node conformance/examples/onnxruntime/run_model_tests.mjs models/*
// The script loads ONNX Runtime's package from the folder in the variable ONNXRUNTIME_MODULES, or else from its own.
// Exit codes: 0 if at least one case is right and none is wrong or refused, 2 if a folder cannot be read, 1 otherwise.
// Two kinds of cases do not count: types that the library does not compute, and operators that case.json calls open and
// that the library refuses.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const modules = process.env.ONNXRUNTIME_MODULES;
const ort = createRequire(modules === undefined ? import.meta.url : `${modules}/`)('onnxruntime-node');

// Reads a tensor of ONNX, a TensorProto. Its fields that `deconv-cts export` writes: dims 1, data_type 2, name 8,
// raw_data 9. Each field begins with a tag: 8 times the field's number plus the kind of its content (0: an integer,
// 2: a length and bytes). Integers have 7 bits in each byte, the lowest first; all bytes but the last have the bit 0x80.
// Example: the bytes 96 01 are 0x16 + (1 << 7) = 150.
function readTensor(file) {
  const bytes = readFileSync(file);
  let at = 0;
  const varint = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++];
      if (byte === undefined) throw new Error(`${file}: is cut short`);
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return Number(value);
    }
  };
  const tensor = { dims: [], type: 0, name: '', raw: new Uint8Array(0) };
  while (at < bytes.length) {
    const tag = varint();
    if ((tag & 7) === 0) {
      const value = varint();
      if (tag >> 3 === 1) tensor.dims.push(value);
      if (tag >> 3 === 2) tensor.type = value;
      continue;
    }
    if ((tag & 7) !== 2) throw new Error(`${file}: is no tensor`);
    const length = varint();
    const field = bytes.subarray(at, at + length);
    at += length;
    if (tag >> 3 === 8) tensor.name = new TextDecoder().decode(field);
    if (tag >> 3 === 9) tensor.raw = new Uint8Array(field);  // a copy, aligned for every type
  }
  return tensor;
}

// The number with these 16 bits of f16: sign, 5 bits of exponent, 10 bits of fraction. Example: 0x3c00 is 1.
function halfToNumber(bits) {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (exponent ? (1024 + fraction) * 2 ** (exponent - 25) : fraction * 2 ** -24);
}

const TYPES = {
  1: { name: 'float32', array: Float32Array, number: (x) => x },
  10: { name: 'float16', array: Uint16Array, number: halfToNumber },
  11: { name: 'float64', array: Float64Array, number: (x) => x },
};

const BF16 = 16;  // element type of ONNX, as the keys above

// The type of a tensor and its elements; those of f16 are their 16 bits.
function valuesOf(tensor, file) {
  const type = TYPES[tensor.type];
  if (type === undefined) throw new Error(`${file}: element type ${tensor.type} is none that this script knows`);
  return { type, values: new type.array(tensor.raw.buffer, 0, tensor.raw.length / type.array.BYTES_PER_ELEMENT) };
}

// The tolerance of each output, from a file of NumPy with one f64 for each output.
function readTolerances(file) {
  const bytes = readFileSync(file);
  const begin = 10 + bytes.readUInt16LE(8);  // npy version 1.0
  return new Float64Array(new Uint8Array(bytes.subarray(begin)).buffer);
}

// Returns undefined if all outputs are right, or a message about the first wrong output.
function compare(result, expected, tolerances) {
  const { type, values } = valuesOf(expected, 'output_0.pb');
  if (result.dims.join() !== expected.dims.join()) return `output dims [${result.dims}], expected [${expected.dims}]`;
  const bits = new type.array(result.data.buffer, result.data.byteOffset, result.data.length);
  for (let i = 0; i < values.length; ++i) {
    const found = type.number(bits[i]);
    const wanted = type.number(values[i]);
    const right = Number.isNaN(wanted)
      ? Number.isNaN(found)
      : found === wanted || tolerances[i] === Infinity || Math.abs(found - wanted) <= tolerances[i];
    if (!right) return `output ${i} (flat index): found ${found}, expected ${wanted} within ${tolerances[i]}`;
  }
  return undefined;
}

// The result if the library's CPU code does not have the type, or refuses an operator that it may refuse.
const NOT_COMPUTED = Symbol('not computed');

// What the specification leaves open about the case.
const openPoints = (folder) => JSON.parse(readFileSync(`${folder}/case.json`)).open ?? [];

// Runs the case of a folder. Returns undefined if it is right, NOT_COMPUTED, or a message.
async function runFolder(folder) {
  const feeds = {};
  for (const input of ['input_0.pb', 'input_1.pb']) {
    const file = `${folder}/test_data_set_0/${input}`;
    const tensor = readTensor(file);
    if (tensor.type === BF16) return NOT_COMPUTED;  // onnxruntime-node has no such tensors
    const { type, values } = valuesOf(tensor, file);
    feeds[tensor.name] = new ort.Tensor(type.name, values, tensor.dims);
  }
  const expected = readTensor(`${folder}/test_data_set_0/output_0.pb`);
  const tolerances = readTolerances(`${folder}/tolerance_0.npy`);
  let results;
  try {
    const session = await ort.InferenceSession.create(`${folder}/model.onnx`, { logSeverityLevel: 4 });
    results = await session.run(feeds);
  } catch (error) {
    const said = String(error.message).split('\n')[0];
    // The shape inference of ONNX knows no output_shape with batch and channels, which ConvTranspose itself takes (S20).
    if (said.includes('Attribute output_shape has incorrect size')) return NOT_COMPUTED;
    const mayRefuse = said.includes('Could not find an implementation') || openPoints(folder).length !== 0;
    return mayRefuse ? NOT_COMPUTED : `refused: ${said}`;
  }
  return compare(results[expected.name], expected, tolerances);
}

let wrong = 0;
let right = 0;
const folders = process.argv.slice(2);
for (const folder of folders) {
  let message;
  try {
    message = await runFolder(folder);
  } catch (error) {
    console.error(error.message);
    process.exit(2);
  }
  if (message === undefined) ++right;
  if (message === undefined || message === NOT_COMPUTED) continue;
  ++wrong;
  console.log(`${folder}: ${message}\n  ${JSON.parse(readFileSync(`${folder}/case.json`)).case}`);
}
const absent = folders.length - right - wrong;
console.log(`${right} exported cases are right on ONNX Runtime ${ort.env.versions.node}, ${wrong} wrong or refused, ` +
  `${absent} not computed: of other types, or open (case.json) and refused`);
process.exit(wrong === 0 && right !== 0 ? 0 : 1);
