# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Reproduces a defect of TensorFlow with oneDNN: in bf16 a NaN spreads to the output before it.

The data are 1, NaN, 1 in each channel, and both weights are 1. Output 0 has no NaN among its operands. ../README.md
describes the defect.
"""
import os

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
os.environ["TF_ENABLE_ONEDNN_OPTS"] = "1"
import tensorflow as tf  # noqa: E402

for dtype in (tf.float32, tf.bfloat16):
    for channels in (1, 2):
        data = tf.cast([[[value] * channels for value in (1.0, float("nan"), 1.0)]], dtype)
        output = tf.nn.conv1d_transpose(data, tf.ones([2, 1, channels], dtype), [1, 4, 1], 1, "VALID")
        print(f"{dtype.name} channels {channels}:", tf.cast(output, tf.float32).numpy().flatten().tolist())
