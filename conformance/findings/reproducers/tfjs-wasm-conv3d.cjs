// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reproduces a defect of TensorFlow.js: with the backend wasm, conv3dTranspose computes one slice only. Two ones and a
// filter of 1 must give the data, as with the backend cpu. ../README.md describes the defect.
const tf = require('@tensorflow/tfjs-core');
require('@tensorflow/tfjs-backend-cpu');
require('@tensorflow/tfjs-backend-wasm');

(async () => {
  for (const name of ['cpu', 'wasm']) {
    await tf.setBackend(name);
    await tf.ready();
    const data = tf.tensor([1, 2], [1, 2, 1, 1, 1]);
    const filter = tf.tensor([1], [1, 1, 1, 1, 1]);
    const output = tf.conv3dTranspose(data, filter, [1, 2, 1, 1, 1], [1, 1, 1], 'valid');
    console.log(name, Array.from(await output.data()).join(' '));
  }
})();
