# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Makes ncnn a backend (a library under test) of deconv-cts, the test suite for transposed convolutions.

    python3 -m deconv_backend ncnn_layers.py [--option storage=f32|default]

The suite calls deconv() with sizes and pads that it has computed (class Geometry of deconv_backend/operators.py). Each
operator is a network of one layer: Deconvolution or DeconvolutionDepthWise, or one of their forms 1D and 3D. With
storage=f32 the network computes without f16, which is ncnn's default where the CPU has it.

Choices of this adapter, not of ncnn:
- The pads of both ends, output_pad and dilations are passed on. A network runs once for each sample of the batch.
- The filter is [G, O/G, C/G, spatial...]. More than one group makes the layer DeconvolutionDepthWise.
- Each sample is copied into an ncnn.Mat, because ncnn pads the channels of its own matrices.
"""
import importlib.metadata

import deconv_backend
import ncnn
import numpy

STORAGE = deconv_backend.option("storage", "f32", ["default", "f32"])
# In ncnn's text format a layer has parameters ID=VALUE. A row has the ids of kernel, dilation, stride, pad at the
# beginning, pad at the end and output_pad of one axis. The rows are the last axis, the one before it, and the first of
# three.
IDS = [(1, 2, 3, 4, 15, 18), (11, 12, 13, 14, 16, 19), (21, 22, 23, 24, 17, 20)]
FORMS = {1: "1D", 2: "", 3: "3D"}


def layer_of(geometry, weights):
    """Returns the line that describes the layer in ncnn's text format of networks."""
    axes = list(zip(geometry.kernel, geometry.dilations, geometry.strides, geometry.pads_begin, geometry.pads_end,
                    geometry.output_padding))[::-1]
    keys = {0: geometry.out_channels, 5: 0, 6: weights.size}  # 5: no bias; 6: the number of weights
    for ids, values in zip(IDS, axes):
        keys.update(zip(ids, values))
    kind = "Deconvolution"
    if geometry.groups > 1:
        kind += "DepthWise"
        keys[7] = geometry.groups
    return f"{kind}{FORMS[geometry.spatial_rank]} d 1 1 x y {' '.join(f'{key}={value}' for key, value in keys.items())}"


def deconv(data, filter, geometry):
    net = ncnn.Net()
    net.opt.use_vulkan_compute = False
    net.opt.num_threads = 1
    if STORAGE == "f32":
        net.opt.use_fp16_storage = net.opt.use_fp16_packed = net.opt.use_fp16_arithmetic = False
    weights = numpy.ascontiguousarray(numpy.moveaxis(filter, 1, 2), numpy.float32)
    # The magic number of the format; 2 layers and 2 blobs (tensors); then the layer that takes the input x.
    if net.load_param_mem(f"7767517\n2 2\nInput in 0 1 x\n{layer_of(geometry, weights)}\n") != 0:
        raise deconv_backend.Refused("load_param_mem failed")
    model = b"\0\0\0\0" + weights.tobytes()  # the flag 0 says f32
    net.load_model_mem(model)  # the network points into these bytes, so they must live as long as it does
    outputs = []
    for sample in data:
        sample = numpy.ascontiguousarray(sample)
        with net.create_extractor() as extractor:
            extractor.input("x", ncnn.Mat(sample).clone())
            status, output = extractor.extract("y")
            if status != 0:
                raise RuntimeError(f"extract returned {status}")
            outputs.append(numpy.array(output))
    return numpy.stack(outputs)


if __name__ == "__main__":
    deconv_backend.serve(
        deconv, name=f"ncnn-{STORAGE}", version=importlib.metadata.version("ncnn"), types=["f32"],
        max_attribute=2**31 - 1, unsupported=["negative-pads", "empty-tensors"])
