# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Computes a ConvolutionBackpropData of OpenVINO whose filter has an infinity, in f32, f16 and bf16."""
import os

os.environ["ONEDNN_MAX_CPU_ISA"] = "AVX2"  # OpenVINO then computes as on a CPU without AVX512_BF16
import numpy  # noqa: E402
from one_backprop import compiled, openvino, opset1  # noqa: E402

filter = opset1.constant(numpy.array([[[numpy.inf, 1]]], numpy.float32))
for kind in ("f32", "f16", "bf16"):
    x = opset1.parameter([1, 1, 2], openvino.Type.f32)
    y = opset1.convolution_backprop_data(opset1.convert(x, kind), opset1.convert(filter, kind), [2], pads_begin=[0],
                                         pads_end=[0], dilations=[1])
    output = compiled([opset1.convert(y, "f32")], [x])([numpy.array([[[0.5, 0]]], numpy.float32)])[0]
    print(kind, output.flatten().tolist())
