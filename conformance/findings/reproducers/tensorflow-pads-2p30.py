# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Computes tf.nn.conv2d_transpose of TensorFlow with a stride and pads of 2^30 - 1 and of 2^30."""
import os

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf  # noqa: E402

data, filter = tf.reshape([1.0, 2.0, 3.0], [1, 1, 3, 1]), tf.reshape([1.0, 2.0, 3.0, 4.0, 5.0], [1, 5, 1, 1])
for far in (2**30 - 1, 2**30):
    output = tf.nn.conv2d_transpose(data, filter, [1, 1, 5, 1], [1, far], [[0, 0], [0, 0], [far, far], [0, 0]])
    print(far, output.numpy().flatten().tolist())
