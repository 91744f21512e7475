# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Reproduces a defect of Keras: TensorFlow refuses the shape that Keras computes for an even kernel.

It is so with `same` and output_padding 0. The program compares the shape that Conv1DTranspose announces with the one
that it computes, for kernels of 2 to 5. ../README.md describes the defect.
"""
import os

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
os.environ["KERAS_BACKEND"] = "tensorflow"
import keras  # noqa: E402
import tensorflow as tf  # noqa: E402

for kernel in (2, 3, 4, 5):
    layer = keras.layers.Conv1DTranspose(1, kernel, strides=2, padding="same", output_padding=0)
    told = layer.compute_output_shape((1, 4, 1))
    try:
        print(f"kernel {kernel}: shape {told}, computed {tuple(layer(tf.ones([1, 4, 1])).shape)}")
    except tf.errors.OpError:
        print(f"kernel {kernel}: shape {told}, not computed")
