// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs ONNX Runtime as a backend: its ConvTranspose on the CPU. Each operator becomes a model. After `npm ci`:
//   deconv-cts run --backend cmd:"node conformance/examples/onnxruntime/backend.mjs"
// The script loads ONNX Runtime's package from the folder in the variable ONNXRUNTIME_MODULES, or else from its own.
import { createRequire } from 'node:module';
import { convTransposeModel } from './model.mjs';
import { serve } from './protocol.mjs';

const modules = process.env.ONNXRUNTIME_MODULES;
const ort = createRequire(modules === undefined ? import.meta.url : `${modules}/`)('onnxruntime-node');

const DESCRIPTION = {
  protocol: 1,
  name: 'onnxruntime-node',
  version: ort.env.versions.node,
  dialects: ['onnxruntime'],
  operators: ['ConvTranspose'],
  element_types: ['f32'],
  min_rank: 3,
  max_rank: 5,
  deterministic: 'every-run',
};

// The suite sends no values with an invalid operator whose tensors are large. This backend tries such an operator on
// zeros if each tensor has at most this number of elements.
const MOST_TRIED = 1n << 22n;

const big = (values) => values.map(BigInt);  // an integer beyond 2^53 - 1 is a string

function attributesOf(op) {
  const attributes = {};
  for (const name of ['strides', 'dilations', 'output_padding', 'kernel_shape']) {
    if (op[name] !== undefined) attributes[name] = big(op[name]);
  }
  if (op.output_shape_attribute !== undefined) attributes.output_shape = big(op.output_shape_attribute);
  if (op.auto_pad !== undefined) attributes.auto_pad = op.auto_pad;
  if (op.groups !== undefined) attributes.group = BigInt(op.groups);
  if (op.pads_begin !== undefined || op.pads_end !== undefined) {
    const zeros = (op.pads_begin ?? op.pads_end).map(() => 0n);
    attributes.pads = [...big(op.pads_begin ?? zeros), ...big(op.pads_end ?? zeros)];
  }
  return attributes;
}

const count = (dims) => dims.reduce((product, dim) => product * dim, 1n);

async function run(request, data, filter) {
  const op = request.operator;
  const unsupported = (message) => ({ answer: 'unsupported', message });
  const type = op.data.element_type;
  if (op.kind !== 'ConvTranspose') return unsupported('only ConvTranspose');
  if (type !== 'f32') return unsupported(`only f32, not ${type}`);
  if (op.output_shape !== undefined) return unsupported('a third input is a bias, which is not driven');
  const dataDims = big(op.data.dims);
  const filterDims = big(op.filter.dims);
  if ([...dataDims, ...filterDims].some((dim) => dim < 0n)) {
    return { answer: 'refused', message: 'a tensor cannot have a negative dimension' };
  }
  const filled = (bytes, dims, element) => (bytes.length !== 0 ? bytes : new Uint8Array(Number(count(dims)) * element));
  if (count(dataDims) > MOST_TRIED && data.length === 0) return unsupported('data too large to be tried');
  if (count(filterDims) > MOST_TRIED && filter.length === 0) return unsupported('filter too large to be tried');
  let session;
  try {
    const model = convTransposeModel({
      opset: 11, type, dataDims, filterType: op.filter.element_type, filterDims,
      filter: filled(filter, filterDims, op.filter.element_type === 'f32' ? 4 : 0), attributes: attributesOf(op),
    });
    session = await ort.InferenceSession.create(model, {
      executionProviders: ['cpu'], graphOptimizationLevel: 'disabled', intraOpNumThreads: 1, logSeverityLevel: 4,
    });
    const values = new Float32Array(filled(data, dataDims, 4).buffer);
    const { Y } = await session.run({ X: new ort.Tensor('float32', values, dataDims.map(Number)) });
    return {
      answer: 'computed', dims: Y.dims, output: new Uint8Array(Y.data.buffer, Y.data.byteOffset, Y.data.byteLength),
    };
  } catch (error) {
    return { answer: 'refused', message: String(error.message).replace(/\s+/g, ' ').slice(0, 400) };
  } finally {
    await session?.release();
  }
}

await serve((request, data, filter) => (request.do === 'describe' ? DESCRIPTION : run(request, data, filter)));
