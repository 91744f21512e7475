# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Exports small networks by PaddlePaddle: paddle.jit.save.

    export_paddle.py FOLDER        called by export_models
"""
import pathlib
import sys

import paddle
from paddle import nn


class Decoder(nn.Layer):
    def __init__(self):
        super().__init__()
        self.up = nn.Conv2DTranspose(4, 6, 3, stride=2, padding=1, output_padding=1, groups=2)
        self.same = nn.Conv2DTranspose(6, 2, 3, stride=2, padding="SAME", bias_attr=False)

    def forward(self, x):
        return self.same(nn.functional.relu(self.up(x)))


class Volume(nn.Layer):
    def __init__(self):
        super().__init__()
        self.up = nn.Conv3DTranspose(2, 3, (1, 3, 2), stride=(1, 2, 2), padding=(0, 1, 0))

    def forward(self, x):
        return self.up(x)


class Audio(nn.Layer):
    def __init__(self):
        super().__init__()
        self.up = nn.Conv1DTranspose(4, 2, 8, stride=4, padding=2)

    def forward(self, x):
        return self.up(x)


# name: (class, sizes of the data)
NETWORKS = {"decoder": (Decoder, [1, 4, 5, 6]), "volume": (Volume, [1, 2, 2, 3, 4]), "audio": (Audio, [1, 4, 7])}


def main(folder):
    for name, (make, dims) in NETWORKS.items():
        paddle.seed(len(name))
        network = make()
        network.eval()
        for way, sizes in (("", dims), ("-open", [None, *dims[1:-1], None])):
            spec = [paddle.static.InputSpec(sizes, "float32", "x")]
            paddle.jit.save(network, str(folder / f"{name}-paddle{way}"), input_spec=spec)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
