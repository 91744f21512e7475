// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reproduces a defect of TensorFlow.js: the pads 'same' become negative in three axes. The kernel is 1 and the stride
// 2. Each operator in three axes must give what it gives in two axes. ../README.md describes the defect.
const tf = require('@tensorflow/tfjs-core');
require('@tensorflow/tfjs-backend-cpu');

(async () => {
  await tf.setBackend('cpu');
  await tf.ready();
  const print = async (name, output) => console.log(name, Array.from(await output.data()).join(' '));
  const ones = (axes) => tf.ones(Array(axes).fill(1));
  await print('conv2dTranspose', tf.conv2dTranspose(ones(4), ones(4), [1, 2, 1, 1], [2, 1], 'same'));
  await print('conv3dTranspose', tf.conv3dTranspose(ones(5), ones(5), [1, 2, 1, 1, 1], [2, 1, 1], 'same'));
  await print('conv2d', tf.conv2d(tf.tensor([1, 2], [1, 2, 1, 1]), ones(4), [2, 1], 'same'));
  await print('conv3d', tf.conv3d(tf.tensor([1, 2], [1, 2, 1, 1, 1]), ones(5), [2, 1, 1], 'same'));
  await print('maxPool', tf.maxPool(tf.tensor([1, 2], [1, 2, 1, 1]), 1, [2, 1], 'same'));
  await print('maxPool3d', tf.maxPool3d(tf.tensor([1, 2], [1, 2, 1, 1, 1]), 1, [2, 1, 1], 'same'));
})();
