# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Reproduces a defect of OpenVINO: an infinite weight of bf16 becomes the largest finite number.

The same operator runs in f32, f16 and bf16. All three outputs must be inf, 0.5, nan, 0. ../README.md describes the
defect.
"""
import os

os.environ["ONEDNN_MAX_CPU_ISA"] = "AVX2"  # OpenVINO then computes as on a CPU without AVX512_BF16
import numpy  # noqa: E402
from one_backprop import compiled, openvino, opset1  # noqa: E402

filter = opset1.constant(numpy.array([[[numpy.inf, 1]]], numpy.float32))
for kind in ("f32", "f16", "bf16"):
    input_node = opset1.parameter([1, 1, 2], openvino.Type.f32)
    output_node = opset1.convolution_backprop_data(opset1.convert(input_node, kind), opset1.convert(filter, kind), [2],
                                                   pads_begin=[0], pads_end=[0], dilations=[1])
    output = compiled([opset1.convert(output_node, "f32")], [input_node])([numpy.array([[[0.5, 0]]], numpy.float32)])[0]
    print(kind, output.flatten().tolist())
