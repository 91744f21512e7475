// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// TensorFlow.js: tf.conv2dTranspose and tf.conv3dTranspose.
//   DECONV_MODULES=FOLDER node tfjs.mjs [--option backend=cpu|wasm]
// Choices of this adapter, not of TensorFlow.js:
// - TensorFlow.js has channels last only. The adapter permutes data, filter and output.
// - In two axes it takes pads as numbers for each end, and the output's shape: pads_begin, pads_end and the output's sizes
//   are passed as they are, with the rounding mode floor, by which an output_padding below the stride is possible.
// - The WebAssembly module has integers of 32 bits. The adapter declares this limit; the module does not check it.
// - In three axes it takes the words "valid" and "same" only. The adapter passes the one that gives these pads.
import { load, option, permuted, serve } from './deconv_backend/index.mjs';

const backend = option('backend', 'cpu', ['cpu', 'wasm']);
const tf = load('@tensorflow/tfjs-core', import.meta.url);
load(`@tensorflow/tfjs-backend-${backend}`, import.meta.url);
await tf.setBackend(backend);
await tf.ready();

// Whether a word gives the pads of an axis in three-dimensional operators, by TensorFlow's forward convolution.
const WORDS = {
  valid: ({ size, kernel, stride, begin, output }) => begin === 0 && Math.ceil((output - kernel + 1) / stride) === size,
  same: ({ size, kernel, stride, begin, output }) =>
    Math.ceil(output / stride) === size && Math.floor(Math.max(0, (size - 1) * stride + kernel - output) / 2) === begin,
};

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

async function deconv(data, filter, geometry) {
  const axes = geometry.data.length;
  const spatial = geometry.data.map((_, axis) => axis + 2);
  const { batch, inChannels, outChannels, kernel, output } = geometry;
  const values = permuted(data, [batch, inChannels, ...geometry.data], [0, ...spatial, 1]);
  const weights = permuted(filter, [inChannels, outChannels, ...kernel], [...spatial, 1, 0]);
  const shape = [batch, ...output, outChannels];
  const result = tf.tidy(() => {
    const x = tf.tensor(values, [batch, ...geometry.data, inChannels], 'float32');
    const w = tf.tensor(weights, [...kernel, outChannels, inChannels], 'float32');
    if (axes === 3) return tf.conv3dTranspose(x, w, shape, geometry.strides, wordOf(geometry));
    const pads = [[0, 0], ...geometry.padsBegin.map((begin, axis) => [begin, geometry.padsEnd[axis]]), [0, 0]];
    return tf.conv2dTranspose(x, w, shape, geometry.strides, pads, 'floor');
  });
  const flat = await result.data();
  result.dispose();
  return permuted(flat, shape, [0, axes + 1, ...spatial.map((axis) => axis - 1)]);
}

await serve({
  deconv, supports, name: `tfjs-${backend}`, version: tf.version_core, types: ['f32'], minRank: 4, maxRank: 5, max_bytes: 1 << 22,
  max_attribute: backend === 'wasm' ? 2 ** 31 - 1 : Number.MAX_SAFE_INTEGER,
  unsupported: ['groups', 'dilations', 'negative-pads'], refuses: () => true,
});
