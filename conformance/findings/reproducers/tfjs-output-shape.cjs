// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reproduces a defect of TensorFlow.js: it takes output shapes that do not fit the data. With 3 elements, a kernel of 3
// and a stride of 2, only 7 and 8 elements fit 'valid', and 5 and 6 fit 'same'. ../README.md describes the defect.
const tf = require('@tensorflow/tfjs-core');
require('@tensorflow/tfjs-backend-cpu');

(async () => {
  await tf.setBackend('cpu');
  await tf.ready();
  const data = tf.tensor([1, 2, 3], [1, 1, 3, 1]);
  for (const [pad, size] of [['valid', 7], ['valid', 5], ['valid', 3], ['same', 5], ['same', 3]]) {
    const output = tf.conv2dTranspose(data, tf.ones([1, 3, 1, 1]), [1, 1, size, 1], [1, 2], pad);
    console.log(pad, size, 'gives', Array.from(await output.data()).join(' '));
  }
})();
