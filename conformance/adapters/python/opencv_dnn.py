# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Makes OpenCV's module dnn a backend (a library under test) of deconv-cts, the test suite for transposed convolutions.

    python3 -m deconv_backend opencv_dnn.py [--option threads=N] [--option kernel_shape=as-is]

The suite calls run() with the attributes as a model has them (class Operator of deconv_backend/operators.py). OpenCV
resolves them itself. Each operator is the bytes of an ONNX model with one ConvTranspose, which cv2.dnn.readNetFromONNX
reads. The network runs on the CPU.

Choices of this adapter, not of OpenCV:
- The model is ONNX's, so the attributes mean what ONNX's document says.
- The filter is an initializer: the importer refuses filters that are inputs.
- OpenCV flushes subnormal numbers on purpose (FPDenormalsIgnoreHintScope), so the adapter declares it.
- OpenCV requires the attribute kernel_shape, which is optional in ONNX. Exporters write it, and so does the adapter
  where the operator leaves it out. With kernel_shape=as-is the model has the operator's own attributes only.
- OpenCV refuses an attribute pads that is asymmetric, and the adapter declares it. It declares nothing about the pads that
  follow from auto_pad, because OpenCV computes them.
"""
import dataclasses
import os

os.environ.setdefault("OPENCV_LOG_LEVEL", "SILENT")  # read when the library is loaded

import cv2  # noqa: E402
import deconv_backend  # noqa: E402
import numpy  # noqa: E402

THREADS = int(deconv_backend.option("threads", "1"))
KERNEL_SHAPE = deconv_backend.option("kernel_shape", "add", ["add", "as-is"])


def supports(operator):
    if reason := deconv_backend.supports_conv_transpose(operator):
        return reason
    pads = zip(operator.pads_begin or [0, 0], operator.pads_end or [0, 0])
    if operator.auto_pad in (None, "NOTSET") and any(begin != end for begin, end in pads):
        return "OpenCV refuses asymmetric pads"
    strides = operator.strides or [1, 1]
    if any(padding >= stride for padding, stride in zip(operator.output_padding or [], strides)):
        return "OpenCV asserts adjust_pads[i] < strides[i]: output_padding below the stride"
    return None


def run(operator, data, filter):
    if reason := supports(operator):
        raise deconv_backend.Unsupported(reason)
    deconv_backend.refuse_negative_dims(operator)
    if data is None or filter is None:
        raise deconv_backend.Unsupported("too large, or of a type that NumPy does not have")
    if operator.kernel_shape is None and KERNEL_SHAPE == "add":
        operator = dataclasses.replace(operator, kernel_shape=operator.filter.dims[2:])
    model = deconv_backend.conv_transpose_model(operator, filter)
    net = cv2.dnn.readNetFromONNX(numpy.frombuffer(model, numpy.uint8))
    net.setPreferableBackend(cv2.dnn.DNN_BACKEND_OPENCV)
    net.setPreferableTarget(cv2.dnn.DNN_TARGET_CPU)
    net.setInput(data, "X")
    return net.forward("Y")


if __name__ == "__main__":
    cv2.setNumThreads(THREADS)
    deconv_backend.serve(
        run=run, supports=supports, name="opencv-dnn", version=cv2.__version__, dialects=["onnx-11"], types=["f32"],
        min_rank=4, max_rank=4, subnormals="flushed", unsupported=["negative-pads", "empty-tensors"], refuses=[cv2.error])
