# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Exports small networks by PyTorch's exporters: torch.onnx by TorchScript and by dynamo, torch.export, torch.jit.

    export_torch.py FOLDER         called by export_models
"""
import pathlib
import sys

import torch
from torch import nn


class Decoder(nn.Module):
    """A segmentation head: strides, output padding, dilation, no bias, a skip connection."""

    def __init__(self):
        super().__init__()
        self.up1 = nn.ConvTranspose2d(4, 6, 3, stride=2, padding=1, output_padding=1)
        self.up2 = nn.ConvTranspose2d(6, 4, 4, stride=2, padding=1, bias=False)
        self.wide = nn.ConvTranspose2d(10, 2, 3, padding=2, dilation=2)

    def forward(self, x):
        up = torch.relu(self.up1(x))
        high = torch.relu(self.up2(up))
        return self.wide(torch.cat([nn.functional.interpolate(up, scale_factor=2.0), high], 1))


class Grouped(nn.Module):
    """Groups and depthwise filters, with batch normalisation, which exporters fold into filters."""

    def __init__(self):
        super().__init__()
        self.up = nn.ConvTranspose2d(6, 9, (3, 2), stride=(2, 1), padding=(1, 0), groups=3, bias=False)
        self.norm = nn.BatchNorm2d(9)
        self.depthwise = nn.ConvTranspose2d(9, 9, 4, stride=4, groups=9, bias=False)
        self.norm.running_mean.normal_()
        self.norm.running_var.uniform_(0.5, 2.0)

    def forward(self, x):
        return self.depthwise(torch.relu(self.norm(self.up(x))))


class Vocoder(nn.Module):
    """Audio: one axis, long kernels, and weight normalisation, so that the file computes the filters."""

    def __init__(self):
        super().__init__()
        self.up1 = nn.utils.parametrizations.weight_norm(nn.ConvTranspose1d(8, 4, 16, stride=8, padding=4))
        self.up2 = nn.ConvTranspose1d(4, 2, 4, stride=2, padding=1)

    def forward(self, x):
        return torch.tanh(self.up2(nn.functional.leaky_relu(self.up1(x), 0.1)))


class Volume(nn.Module):
    """Three axes, each with its own stride."""

    def __init__(self):
        super().__init__()
        self.up = nn.ConvTranspose3d(3, 2, (1, 3, 2), stride=(1, 2, 2), padding=(0, 1, 0), output_padding=(0, 1, 0))

    def forward(self, x):
        return self.up(x).abs()


class Modulated(nn.Module):
    """A filter that depends on the data, as in StyleGAN, so that the file has no weights for it."""

    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(4, 3, 3, 3))
        self.style = nn.Linear(4, 4)

    def forward(self, x):
        scale = self.style(x.mean((0, 2, 3)))
        return nn.functional.conv_transpose2d(x, self.weight * scale[:, None, None, None], stride=2, padding=1)


NETWORKS = {  # name: (class, sizes of the data, its open axes)
    "decoder": (Decoder, (1, 4, 6, 8), {0: "batch", 2: "height", 3: "width"}),
    "grouped": (Grouped, (1, 6, 5, 7), {2: "height", 3: "width"}),
    "vocoder": (Vocoder, (1, 8, 10), {2: "length"}),
    "volume": (Volume, (1, 3, 2, 4, 5), {2: "depth"}),
    "modulated": (Modulated, (1, 4, 5, 6), {2: "height", 3: "width"}),
}


def made(name, kind=torch.float32):
    """Returns a network with random filters in a type, data for it, and the names of its open axes."""
    torch.manual_seed(len(name))
    network, dims, axes = NETWORKS[name]
    return network().eval().to(kind), torch.randn(dims).to(kind), axes


def export_onnx(folder, name, dynamo, is_open, kind=torch.float32, suffix="", **options):
    """Writes an ONNX file by the exporter dynamo or by that of TorchScript. With `is_open`, axes have no fixed size."""
    network, data, axes = made(name, kind)
    if dynamo:
        shapes = ({axis: torch.export.Dim.DYNAMIC for axis in axes},) if is_open else None
        options |= {"dynamic_shapes": shapes, "external_data": options.get("external_data", False), "verbose": False}
    elif is_open:
        options["dynamic_axes"] = {"x": axes}
    way = ("dynamo" if dynamo else "script") + ("-open" if is_open else "") + suffix
    torch.onnx.export(network, (data,), folder / f"{name}-torch-{way}.onnx", dynamo=dynamo, input_names=["x"],
                      output_names=["y"], **options)


def main(folder):
    torch.set_grad_enabled(False)
    for name in NETWORKS:
        for dynamo in (False, True):
            for is_open in (False, True):
                export_onnx(folder, name, dynamo, is_open)
        network, data, _ = made(name)
        torch.export.save(torch.export.export(network, (data,)), folder / f"{name}-torch-export.pt2")
        torch.jit.save(torch.jit.trace(network, (data,)), folder / f"{name}-torch-trace.pt")
    for dynamo in (False, True):
        export_onnx(folder, "decoder", dynamo, False, torch.float16, "-f16")
        export_onnx(folder, "decoder", dynamo, False, torch.float64, "-f64")
    export_onnx(folder, "decoder", True, False, torch.bfloat16, "-bf16", opset_version=22)
    export_onnx(folder, "decoder", True, True, suffix="-external", external_data=True)
    export_onnx(folder, "vocoder", False, True, suffix="-unfolded", do_constant_folding=False)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
