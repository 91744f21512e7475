# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Reproduces a defect of TensorFlow: without oneDNN it refuses dilations, and jit_compile computes them.

../README.md describes the defect.
"""
import os

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"
import tensorflow as tf  # noqa: E402


def call():
    return tf.nn.conv1d_transpose(tf.ones([1, 3, 1]), tf.ones([2, 1, 1]), [1, 5, 1], 1, "VALID", dilations=2)


for jit in (True, False):
    try:
        print(f"jit_compile {jit}", tf.function(call, jit_compile=jit)().numpy().flatten().tolist())
    except tf.errors.InvalidArgumentError:
        print(f"jit_compile {jit} is refused")
