# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Computes tf.nn.conv1d_transpose of TensorFlow on ones, with one infinite tap."""
import os

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
os.environ["TF_ENABLE_ONEDNN_OPTS"] = "1"
import tensorflow as tf  # noqa: E402

x, w = tf.ones([1, 4, 3]), tf.constant([[[float("inf")] * 3], [[1.0] * 3], [[1.0] * 3]])
print(tf.nn.conv1d_transpose(x, w, [1, 9, 1], 2, "VALID").numpy().flatten().tolist()[-1], "instead of 3.0")
