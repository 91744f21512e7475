# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Exports small networks by Keras, by TensorFlow's SavedModel, by its converter to LiteRT, and by tf2onnx.

    export_tensorflow.py FOLDER    called by export_models
"""
import pathlib
import sys

import keras
import numpy
import tensorflow
import tf2onnx
from keras import layers

RANDOM = {"bias_initializer": "random_normal"}  # Keras starts biases at 0, which would hide a lost bias

# Each function makes a network for data of these spatial sizes.


def decoder(sizes):
    start = keras.Input((*sizes, 3), name="x")
    x = layers.Conv2DTranspose(4, 3, strides=2, padding="same", activation="relu", name="up1", **RANDOM)(start)
    x = layers.Conv2DTranspose(2, 2, strides=3, padding="valid", use_bias=False, name="up2")(x)
    return keras.Model(start, layers.Conv2DTranspose(1, 4, strides=2, padding="same", name="up3", **RANDOM)(x))


def audio(sizes):
    start = keras.Input((*sizes, 4), name="x")
    x = layers.Conv1DTranspose(3, 8, strides=4, padding="same", name="up1", **RANDOM)(start)
    return keras.Model(start, layers.Conv1DTranspose(2, 5, strides=2, padding="valid", name="up2")(x))


def volume(sizes):
    start = keras.Input((*sizes, 2), name="x")
    return keras.Model(start, layers.Conv3DTranspose(3, (1, 3, 2), strides=(1, 2, 2), padding="same", name="up")(start))


NETWORKS = {"decoder": (decoder, (5, 6)), "audio": (audio, (10,)), "volume": (volume, (2, 4, 5))}


def converted(network, dims, way):
    """Returns a model of LiteRT. `way` is f32, f16 (weights), weights-int8 (weights), int8 (weights and data, with f32
    inputs and outputs) or int8-only (inputs and outputs too)."""
    converter = tensorflow.lite.TFLiteConverter.from_keras_model(network)
    if way != "f32":
        converter.optimizations = [tensorflow.lite.Optimize.DEFAULT]
    if way == "f16":
        converter.target_spec.supported_types = [tensorflow.float16]
    if way.startswith("int8"):
        random = numpy.random.default_rng(1)
        converter.representative_dataset = lambda: ([random.standard_normal(dims, numpy.float32)] for _ in range(8))
    if way == "int8-only":
        converter.target_spec.supported_ops = [tensorflow.lite.OpsSet.TFLITE_BUILTINS_INT8]
        converter.inference_input_type = converter.inference_output_type = tensorflow.int8
    return converter.convert()


def main(folder):
    for name, (make, sizes) in NETWORKS.items():
        keras.utils.set_random_seed(len(name))
        network = make(sizes)
        dims = (1, *network.inputs[0].shape[1:])
        network.save(folder / f"{name}-keras.keras")
        network.export(folder / f"{name}-keras-savedmodel", verbose=False)
        for way in ("f32", "f16", "int8-weights", "int8", "int8-only") if name != "volume" else ("f32", "f16"):
            # converted() quantises the data too if its word begins with int8.
            way_of = way if way != "int8-weights" else "weights-int8"
            (folder / f"{name}-tflite-{way}.tflite").write_bytes(converted(network, dims, way_of))
        signature = [tensorflow.TensorSpec(dims, tensorflow.float32, "x")]
        for opset in (11, 18):
            function = tensorflow.function(network, input_signature=signature)
            tf2onnx.convert.from_function(function, input_signature=signature, opset=opset,
                                          output_path=str(folder / f"{name}-tf2onnx-{opset}.onnx"))
        open_network = make((None,) * len(sizes))
        open_network.set_weights(network.get_weights())
        open_network(numpy.zeros(dims, numpy.float32))  # Keras refuses to export a network that never ran
        open_network.export(folder / f"{name}-keras-open.onnx", format="onnx", verbose=False)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
