# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Makes PyTorch a backend (a library under test) of deconv-cts, the test suite for transposed convolutions.

    python3 -m deconv_backend pytorch.py [--option device=cuda] [--option threads=N] [--option mkldnn=off]
                               [--option declare=documents] [--option compile=inductor]

The suite calls deconv() with sizes and pads that it has computed (class Geometry of deconv_backend/operators.py). Each
operator is a call of torch.nn.functional.conv_transpose1d, 2d or 3d. With mkldnn=off PyTorch computes without oneDNN.

Choices of this adapter, not of PyTorch:
- PyTorch takes one padding for both ends of an axis, and an output_padding. The adapter passes padding = pads_begin and
  the output_padding that gives the output its size. It neither crops nor pads a tensor.
- The adapter declares what PyTorch's code for CPUs does: it adds the products of f16 and bf16 in the same type, and
  takes strides, dilations and pads of 32 bits. PyTorch's documents state neither, so with declare=documents the adapter
  declares neither.
- With compile=inductor each operator is a function that torch.compile compiles.
- The layout NXC is a view of the data, as PyTorch's own channels_last is.
"""
import deconv_backend
import numpy
import torch
import torch.nn.functional

DEVICE = deconv_backend.option("device", "cpu")
THREADS = int(deconv_backend.option("threads", "1"))
MKLDNN = deconv_backend.option("mkldnn", "on", ["on", "off"])
DECLARE = deconv_backend.option("declare", "code", ["code", "documents"])
COMPILE = deconv_backend.option("compile", "off", ["off", "inductor"])
NAME = f"torch-{DEVICE}" + ("" if MKLDNN == "on" else "-without-mkldnn") + ("" if COMPILE == "off" else "-compiled")
FUNCTIONS = {1: torch.nn.functional.conv_transpose1d, 2: torch.nn.functional.conv_transpose2d,
             3: torch.nn.functional.conv_transpose3d}


def supports(geometry):
    output_padding = geometry.output_padding_beside_equal_pads()
    for padding, begin, stride, dilation in zip(output_padding, geometry.pads_begin, geometry.strides, geometry.dilations):
        if begin < 0:
            return "PyTorch's padding is not negative"
        if padding < 0:
            return "PyTorch pads both ends equally: pads_end above pads_begin is not supported"
        if padding >= max(stride, dilation):
            return "PyTorch's output_padding must be smaller than stride or dilation"
    return None


def deconv(data, filter, geometry):
    def tensor(array):  # NumPy has no bf16: its bits are carried as 16-bit integers
        if geometry.element_type == "bf16":
            return torch.from_numpy(array.view(numpy.int16)).view(torch.bfloat16).to(DEVICE)
        return torch.from_numpy(array).to(DEVICE)

    groups, inputs, outputs = filter.shape[:3]
    weights = tensor(filter.reshape([groups * inputs, outputs, *geometry.kernel]))

    def call(x, w):
        return FUNCTIONS[geometry.spatial_rank](
            x, w, stride=geometry.strides, padding=geometry.pads_begin, groups=groups, dilation=geometry.dilations,
            output_padding=geometry.output_padding_beside_equal_pads())

    if COMPILE != "off":
        torch.compiler.reset()  # otherwise PyTorch stops compiling after a number of recompilations
        call = torch.compile(call, backend=COMPILE)
    with torch.inference_mode():
        output = call(tensor(data), weights).cpu()
    if geometry.element_type == "bf16":
        return output.view(torch.int16).numpy().view(numpy.uint16)
    return output.numpy()


if __name__ == "__main__":
    torch.set_num_threads(THREADS)
    torch.backends.mkldnn.enabled = MKLDNN == "on"
    limits = {}
    if DECLARE == "code":
        limits = {"max_attribute": 2**31 - 1, "arithmetic": [{"element_type": "f16", "accumulator": "storage"},
                                                             {"element_type": "bf16", "accumulator": "storage"}]}
    deconv_backend.serve(
        deconv, supports=supports, name=NAME,
        version=torch.__version__, types=["f32", "f64", "f16", "bf16"], unsupported=["negative-pads"],
        refuses=[RuntimeError], **limits)
