# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Reproduces a defect of Arm NN: an infinity of f16 becomes 65504, the largest number of f16.

Each run multiplies one element of data by a filter of one element. Both products in f16 must be infinite, as the
product in f32 is. ../README.md describes the defect.
"""
import numpy
import pyarmnn as ann


def run(data, filter, dtype, kind):
    """Returns the product of two numbers, by a transposed convolution of one element. `kind` is Arm NN's dtype."""
    def info(constant=False):
        return ann.TensorInfo(ann.TensorShape((1, 1, 1, 1)), kind, 0.0, 0, constant)

    runtime, network = ann.IRuntime(ann.CreationOptions()), ann.INetwork()
    descriptor = ann.TransposeConvolution2dDescriptor()
    descriptor.m_StrideX = descriptor.m_StrideY = 1
    descriptor.m_DataLayout = ann.DataLayout_NCHW
    first, last = network.AddInputLayer(0), network.AddOutputLayer(0)
    weights = ann.ConstTensor(info(True), numpy.full((1, 1, 1, 1), filter, dtype))
    layer = network.AddTransposeConvolution2dLayer(descriptor, weights, ann.ConstTensor())
    for source, target in ((first, layer), (layer, last)):
        source.GetOutputSlot(0).Connect(target.GetInputSlot(0))
        source.GetOutputSlot(0).SetTensorInfo(info())
    optimized, _ = ann.Optimize(network, [ann.BackendId("CpuRef")], runtime.GetDeviceSpec(), ann.OptimizerOptions())
    loaded, _ = runtime.LoadNetwork(optimized)
    inputs = ann.make_input_tensors([(0, runtime.GetInputTensorInfo(loaded, 0))], [numpy.full((1, 1, 1, 1), data, dtype)])
    outputs = ann.make_output_tensors([(0, runtime.GetOutputTensorInfo(loaded, 0))])
    runtime.EnqueueWorkload(loaded, inputs, outputs)
    return ann.workload_tensors_to_ndarray(outputs)[0].item()


print("f16: inf * 1 =", run(numpy.inf, 1, numpy.float16, ann.DataType_Float16))
print("f16: 60000 * 2 =", run(60000, 2, numpy.float16, ann.DataType_Float16))
print("f32: inf * 1 =", run(numpy.inf, 1, numpy.float32, ann.DataType_Float32))
