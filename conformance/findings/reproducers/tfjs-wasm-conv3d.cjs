// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes conv3dTranspose of two ones by a filter of one element, with the backends cpu and wasm.
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
