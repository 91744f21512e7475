# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Reproduces a defect of TensorFlow: pads that together pass 32 bits make zeros.

Both outputs must be 2, 4, 6, 8, 10: the second element of the data times each weight. ../README.md describes the
defect.
"""
import os

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf  # noqa: E402

data, filter = tf.reshape([1.0, 2.0, 3.0], [1, 1, 3, 1]), tf.reshape([1.0, 2.0, 3.0, 4.0, 5.0], [1, 5, 1, 1])
for stride in (2**30 - 1, 2**30):
    output = tf.nn.conv2d_transpose(data, filter, [1, 1, 5, 1], [1, stride], [[0, 0], [0, 0], [stride, stride], [0, 0]])
    print(stride, output.numpy().flatten().tolist())
