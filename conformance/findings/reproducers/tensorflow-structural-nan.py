# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Reproduces a defect of TensorFlow with oneDNN: an infinite weight makes NaN where it does not contribute.

The stride is 2, so the last output is a product with the last weight alone, in each of 3 channels. ../README.md
describes the defect.
"""
import os

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
os.environ["TF_ENABLE_ONEDNN_OPTS"] = "1"
import tensorflow as tf  # noqa: E402

data, filter = tf.ones([1, 4, 3]), tf.constant([[[float("inf")] * 3], [[1.0] * 3], [[1.0] * 3]])
print(tf.nn.conv1d_transpose(data, filter, [1, 9, 1], 2, "VALID").numpy().flatten().tolist()[-1], "instead of 3.0")
