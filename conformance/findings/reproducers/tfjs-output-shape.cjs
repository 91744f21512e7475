// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Gives transposed convolutions output shapes that do not fit the data: three elements, a kernel of 3, a stride of 2.
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
