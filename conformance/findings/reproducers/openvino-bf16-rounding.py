# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Computes one product in bf16 by a ConvolutionBackpropData of OpenVINO. bf16 has 128 steps from 1 to 2."""
import os

os.environ["ONEDNN_MAX_CPU_ISA"] = "AVX2"  # OpenVINO then computes as on a CPU without AVX512_BF16
import numpy  # noqa: E402
from one_backprop import compiled, openvino, opset1  # noqa: E402

filter = opset1.convert(opset1.constant(numpy.array([[[140 / 128]]], numpy.float32)), "bf16")
x = opset1.parameter([1, 1, 1], openvino.Type.f32)
y = opset1.convolution_backprop_data(opset1.convert(x, "bf16"), filter, [1], pads_begin=[0], pads_end=[0], dilations=[1])
output = numpy.array(compiled([y], [x])([numpy.array([[[136 / 128]]], numpy.float32)])[0])
value = (output.view(numpy.uint16).astype(numpy.uint32) << 16).view(numpy.float32).item()  # NumPy has no bf16
print("136/128 * 140/128 = 148.75/128 gives", f"{value * 128}/128")
