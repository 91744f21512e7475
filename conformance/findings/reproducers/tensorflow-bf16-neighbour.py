# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Computes tf.nn.conv1d_transpose of TensorFlow on 1, NaN and 1 with two weights of 1, in f32 and in bf16."""
import os

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
os.environ["TF_ENABLE_ONEDNN_OPTS"] = "1"
import tensorflow as tf  # noqa: E402

for dtype in (tf.float32, tf.bfloat16):
    for channels in (1, 2):
        x = tf.cast([[[value] * channels for value in (1.0, float("nan"), 1.0)]], dtype)
        output = tf.nn.conv1d_transpose(x, tf.ones([2, 1, channels], dtype), [1, 4, 1], 1, "VALID")
        print(f"{dtype.name} channels {channels}:", tf.cast(output, tf.float32).numpy().flatten().tolist())
