# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Computes a Deconvolution1D of ncnn on a matrix made from a NumPy array, and on its copy."""
import ncnn
import numpy

net = ncnn.Net()
net.opt.use_vulkan_compute = False
net.load_param_mem("7767517\n2 2\nInput in 0 1 x\nDeconvolution d 1 1 x y 0=1 1=1 11=1 3=1 13=1 6=2\n")
model = b"\0\0\0\0" + numpy.ones(2, numpy.float32).tobytes()
net.load_model_mem(model)
array = numpy.arange(6, dtype=numpy.float32).reshape(2, 1, 3)
for name, mat in (("array", ncnn.Mat(array)), ("clone", ncnn.Mat(array).clone())):
    with net.create_extractor() as extractor:
        extractor.input("x", mat)
        print(name, numpy.array(extractor.extract("y")[1]).flatten().tolist(), "instead of [3.0, 5.0, 7.0]")
