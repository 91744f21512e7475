# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Makes Arm NN a backend (a library under test) of deconv-cts, the test suite for transposed convolutions.

    python3 -m deconv_backend arm_nn.py [--option backend=CpuRef]

The suite calls deconv() with sizes and pads that it has computed (class Geometry of deconv_backend/operators.py). Each
operator is a network with one TransposeConvolution2d layer, built by PyArmNN. The option `backend` is any backend of
the installed Arm NN: CpuRef, CpuAcc, GpuAcc.

Choices of this adapter, not of Arm NN:
- The layer's pads are pads_begin and pads_end. The layer gets the size of the output from them.
- The layer has one group and no dilations, and two spatial axes. The adapter does not split or reshape tensors.
- The filter's axes are permuted to the layer's order: output channels, then input channels.
- Data and filter have the layout of the operator: NCHW, or NHWC if its channels are last.
"""
import deconv_backend
import numpy
import pyarmnn

BACKEND = deconv_backend.option("backend", "CpuRef")
TYPES = {"f32": pyarmnn.DataType_Float32, "f16": pyarmnn.DataType_Float16}


def supports(geometry):
    # The layer derives the output's size from the pads, and has no output_padding.
    for size, kernel, stride, begin, end, output in zip(geometry.data, geometry.kernel, geometry.strides,
                                                        geometry.pads_begin, geometry.pads_end, geometry.output):
        if stride * (size - 1) + kernel - begin - end != output:
            return "Arm NN's layer has no output_padding"
    return None


def info_of(dims, element_type, is_constant=False):
    return pyarmnn.TensorInfo(pyarmnn.TensorShape(tuple(dims)), TYPES[element_type], 0.0, 0, is_constant)


def deconv(data, filter, geometry):
    layout = pyarmnn.DataLayout_NHWC if geometry.channels_last else pyarmnn.DataLayout_NCHW
    order = [0, 2, 3, 1] if geometry.channels_last else [0, 1, 2, 3]  # from NCHW to the operator's layout
    values = numpy.ascontiguousarray(data.transpose(order))
    weights = numpy.ascontiguousarray(filter[0].transpose(1, 0, 2, 3).transpose(order))
    output_dims = numpy.array([geometry.batch, geometry.out_channels, *geometry.output])[order]

    layer = pyarmnn.TransposeConvolution2dDescriptor()
    layer.m_StrideY, layer.m_StrideX = geometry.strides
    layer.m_PadTop, layer.m_PadLeft = geometry.pads_begin
    layer.m_PadBottom, layer.m_PadRight = geometry.pads_end
    layer.m_BiasEnabled = False
    layer.m_DataLayout = layout
    network = pyarmnn.INetwork()
    source, sink = network.AddInputLayer(0), network.AddOutputLayer(0)
    constant = pyarmnn.ConstTensor(info_of(weights.shape, geometry.element_type, True), weights)
    node = network.AddTransposeConvolution2dLayer(layer, constant, pyarmnn.ConstTensor())
    source.GetOutputSlot(0).Connect(node.GetInputSlot(0))
    node.GetOutputSlot(0).Connect(sink.GetInputSlot(0))
    source.GetOutputSlot(0).SetTensorInfo(info_of(values.shape, geometry.element_type))
    node.GetOutputSlot(0).SetTensorInfo(info_of(output_dims.tolist(), geometry.element_type))

    optimized, _ = pyarmnn.Optimize(network, [pyarmnn.BackendId(BACKEND)], RUNTIME.GetDeviceSpec(),
                                    pyarmnn.OptimizerOptions())
    loaded, message = RUNTIME.LoadNetwork(optimized)
    if message:
        raise RuntimeError(message)
    try:
        inputs = pyarmnn.make_input_tensors([(0, RUNTIME.GetInputTensorInfo(loaded, 0))], [values])
        outputs = pyarmnn.make_output_tensors([(0, RUNTIME.GetOutputTensorInfo(loaded, 0))])
        RUNTIME.EnqueueWorkload(loaded, inputs, outputs)
        output = pyarmnn.workload_tensors_to_ndarray(outputs)[0].copy()
    finally:
        RUNTIME.UnloadNetwork(loaded)
    return output.transpose([0, 3, 1, 2]) if geometry.channels_last else output


if __name__ == "__main__":
    RUNTIME = pyarmnn.IRuntime(pyarmnn.CreationOptions())
    deconv_backend.serve(
        deconv, supports=supports, name=f"armnn-{BACKEND.lower()}", version=pyarmnn.__version__,
        types=["f32", "f16"], min_rank=4, max_rank=4, max_bytes=1 << 20, refuses=[RuntimeError],
        unsupported=["groups", "dilations", "negative-pads", "output-padding", "empty-tensors"],
        max_attribute=2**32 - 1)
