// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes TensorFlow.js a backend (a library under test) of deconv-cts: tf.conv2dTranspose and tf.conv3dTranspose.
//   DECONV_MODULES=FOLDER node tfjs.mjs [--option backend=cpu|wasm] [--option geometry=own]
// With geometry=own TensorFlow.js gets the operator's own attributes, which are judged by the dialect `tensorflow`.
// Otherwise it gets resolved geometry: sizes and pads that the suite has computed. Choices of this adapter, not of
// TensorFlow.js:
// - TensorFlow.js has channels last only. The adapter permutes data, filter and output.
// - With resolved geometry, in two axes it takes pads as numbers for each end, and the output's shape: pads_begin,
//   pads_end and the output's sizes are passed as they are, with the rounding mode floor, by which an output_padding below
//   the stride is possible.
// - The WebAssembly module has integers of 32 bits. The adapter declares this limit; the module does not check it.
// - In three axes it takes the words "valid" and "same" only. The adapter passes the one that gives these pads.
import { load, option, permuted, serve, Unsupported } from './deconv_backend/index.mjs';

const hasOwnGeometry = option('geometry', 'resolved', ['resolved', 'own']) === 'own';
const backend = option('backend', 'cpu', ['cpu', 'wasm']);
const tf = load('@tensorflow/tfjs-core', import.meta.url);
load(`@tensorflow/tfjs-backend-${backend}`, import.meta.url);
await tf.setBackend(backend);
await tf.ready();

// Whether a word gives the pads of an axis in three-dimensional operators. By TensorFlow's rule the forward convolution
// of the output has the size of the data: (output - kernel + 1) / stride with "valid" and output / stride with "same",
// both rounded up. With "same", half of all pads, rounded down, is at the beginning.
const WORDS = {
  valid: ({ size, kernel, stride, begin, output }) => begin === 0 && Math.ceil((output - kernel + 1) / stride) === size,
  same: ({ size, kernel, stride, begin, output }) =>
    Math.ceil(output / stride) === size && Math.floor(Math.max(0, (size - 1) * stride + kernel - output) / 2) === begin,
};

// Returns "valid", "same" or undefined.
function wordOf(geometry) {
  const axes = geometry.data.map((size, axis) => ({
    size, kernel: geometry.kernel[axis], stride: geometry.strides[axis], begin: geometry.padsBegin[axis],
    output: geometry.output[axis],
  }));
  return Object.keys(WORDS).find((word) => axes.every(WORDS[word]));
}

function supports(geometry) {
  if (geometry.data.length === 3) {
    return wordOf(geometry) === undefined ? 'conv3dTranspose has only the pads of "valid" and "same"' : null;
  }
  const grows = geometry.outputPadding.some((padding, axis) => padding >= geometry.strides[axis]);
  return grows ? 'the forward convolution of this output has more elements than data' : null;
}

// Computes data [N, C, spatial...] and a filter [C, O, spatial...]. `pads` is a word, or the pads of each spatial axis.
// Returns the output [N, O, spatial...] and its dims.
async function compute(data, dataDims, filter, filterDims, output, strides, pads) {
  const [batch, inChannels, ...sizes] = dataDims;
  const [filterChannels, outChannels, ...kernel] = filterDims;
  const spatial = sizes.map((_, axis) => axis + 2);
  const values = permuted(data, dataDims, [0, ...spatial, 1]);
  const weights = permuted(filter, filterDims, [...spatial, 1, 0]);
  const shape = [batch, ...output, outChannels];
  const result = tf.tidy(() => {
    const x = tf.tensor(values, [batch, ...sizes, inChannels], 'float32');
    const w = tf.tensor(weights, [...kernel, outChannels, filterChannels], 'float32');
    if (sizes.length === 3) return tf.conv3dTranspose(x, w, shape, strides, pads);
    if (typeof pads === 'string') return tf.conv2dTranspose(x, w, shape, strides, pads);
    return tf.conv2dTranspose(x, w, shape, strides, [[0, 0], ...pads, [0, 0]], 'floor');
  });
  const flat = await result.data();
  const order = [0, sizes.length + 1, ...spatial.map((axis) => axis - 1)];
  const dims = order.map((axis) => result.shape[axis]);
  result.dispose();
  return { dims, output: permuted(flat, result.shape, order) };
}

async function deconv(data, filter, geometry) {
  const { batch, inChannels, outChannels, data: sizes, kernel, output, strides } = geometry;
  const pads = sizes.length === 3 ? wordOf(geometry) : geometry.padsBegin.map((begin, axis) => [begin, geometry.padsEnd[axis]]);
  const dims = [[batch, inChannels, ...sizes], [inChannels, outChannels, ...kernel]];
  return (await compute(data, dims[0], filter, dims[1], output, strides, pads)).output;
}

// Returns [output sizes, strides, pads] of TensorFlow.js for an operator of the dialect `tensorflow`. Throws
// Unsupported with the first of the reasons below that holds.
function argumentsOf(operator) {
  const axes = operator.data.dims.length - 2;
  const zeros = new Array(Math.max(axes, 0)).fill(0n);
  const words = new Map([[undefined, null], ['NOTSET', null], ['SAME_UPPER', 'same'], ['VALID', 'valid']]);
  const { auto_pad: autoPad, output_shape_attribute: output, pads_begin: begins, pads_end: ends } = operator;
  const { output_padding: outputPadding = zeros } = operator;
  const ones = zeros.map(() => 1n);
  const { strides = ones, dilations = ones } = operator;
  const pads = (begins ?? zeros).map((begin, axis) => [begin, (ends ?? zeros)[axis]].map(Number));
  const word = words.get(autoPad);
  const kernel = operator.filter.dims.slice(2);
  const lists = [output, strides, dilations, begins ?? zeros, ends ?? zeros, outputPadding, kernel];
  const reasons = [
    [axes < 2 || axes > 3, 'there are functions for two and three axes'],
    [operator.data.element_type !== 'f32' || operator.filter.element_type !== 'f32', 'the adapter has f32'],
    [output === undefined, 'the output shape is a required argument'],
    [lists.some((list) => list?.length !== axes), 'the adapter has one number for each axis'],
    [[...strides, ...pads.flat(), ...output ?? []].some((value) => Math.abs(Number(value)) > Number.MAX_SAFE_INTEGER),
      'a number of JavaScript is exact up to 2^53 - 1'],
    [!words.has(autoPad), 'TensorFlow.js has the pads "same" and "valid", and pairs of pads'],
    [word && (begins ?? ends) !== undefined, 'one argument of TensorFlow.js holds either a word or the pads'],
    [operator.output_shape !== undefined, 'TensorFlow.js has no third input'],
    [(operator.groups ?? 1n) !== 1n, 'TensorFlow.js has no groups here'],
    [outputPadding.some((padding) => padding !== 0n), 'TensorFlow.js has no output_padding'],
    [dilations.some((dilation) => dilation !== 1n), 'TensorFlow.js has no dilations here'],
    [axes === 3 && !word, 'conv3dTranspose has only the pads "valid" and "same"'],
  ];
  const reason = reasons.find(([holds]) => holds);
  if (reason !== undefined) throw new Unsupported(reason[1]);
  return [output.map(Number), strides.map(Number), word ?? pads];
}

async function run(operator, data, filter) {
  const [output, strides, pads] = argumentsOf(operator);
  if (data === null || filter === null) throw new Unsupported('the suite sent no values');
  return compute(data, operator.data.dims.map(Number), filter, operator.filter.dims.map(Number), output, strides, pads);
}

function supportsOperator(operator) {
  argumentsOf(operator);  // throws if the operator is not supported
  return null;
}

const functions = hasOwnGeometry ? { run, supports: supportsOperator, dialects: ['tensorflow'] } : { deconv, supports };
await serve({
  ...functions, name: `tfjs-${backend}`, version: tf.version_core, types: ['f32'], minRank: 4, maxRank: 5, max_bytes: 1 << 22,
  max_attribute: backend === 'wasm' ? 2 ** 31 - 1 : Number.MAX_SAFE_INTEGER,
  unsupported: ['groups', 'dilations', 'negative-pads'], refuses: () => true,
});
