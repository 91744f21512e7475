# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Reproduces a defect of OpenVINO: results of bf16 are cut, not rounded.

The product is 148.75/128. bf16 has 128 steps from 1 to 2, so the nearest number is 149/128. ../README.md describes the
defect.
"""
import os

os.environ["ONEDNN_MAX_CPU_ISA"] = "AVX2"  # OpenVINO then computes as on a CPU without AVX512_BF16
import numpy  # noqa: E402
from one_backprop import compiled, openvino, opset1  # noqa: E402

filter = opset1.convert(opset1.constant(numpy.array([[[140 / 128]]], numpy.float32)), "bf16")
input_node = opset1.parameter([1, 1, 1], openvino.Type.f32)
output_node = opset1.convolution_backprop_data(opset1.convert(input_node, "bf16"), filter, [1], pads_begin=[0],
                                               pads_end=[0], dilations=[1])
output = numpy.array(compiled([output_node], [input_node])([numpy.array([[[136 / 128]]], numpy.float32)])[0])
value = (output.view(numpy.uint16).astype(numpy.uint32) << 16).view(numpy.float32).item()  # NumPy has no bf16
print("136/128 * 140/128 = 148.75/128 gives", f"{value * 128}/128")
