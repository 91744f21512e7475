# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Changes the ONNX files of PyTorch by tools that people use after an export: quantisation, onnxsim, onnxslim, external
data, f16.

    export_onnx_tools.py FOLDER    called by export_models, after export_torch.py
"""
import pathlib
import sys

import numpy
import onnx
import onnxsim
import onnxslim
from onnxruntime import quantization

FILES = ("decoder-torch-script", "decoder-torch-dynamo", "grouped-torch-script", "vocoder-torch-dynamo-open")


class Calibration(quantization.CalibrationDataReader):
    """Four random inputs, from which quantization takes the ranges of values. An open size becomes 8."""

    def __init__(self, model):
        value = model.graph.input[0]
        dims = [dim.dim_value or 8 for dim in value.type.tensor_type.shape.dim]
        random = numpy.random.default_rng(1)
        self.batches = iter([{value.name: random.standard_normal(dims, numpy.float32)} for _ in range(4)])

    def get_next(self):
        return next(self.batches, None)


def quantize(folder, name):
    """Quantizes a file to int8 in four ways: with the data's ranges found when the model runs (dynamic), with pairs of
    QuantizeLinear and DequantizeLinear (QDQ) for whole tensors and for channels, and with operators on integers."""
    source = folder / f"{name}.onnx"
    quantization.quantize_dynamic(source, folder / f"{name}-q-dynamic.onnx", op_types_to_quantize=["ConvTranspose", "Conv"])
    for way, per_channel, kind in (("qdq", False, quantization.QuantFormat.QDQ), ("qdq-channels", True, quantization.QuantFormat.QDQ),
                                   ("qoperator", False, quantization.QuantFormat.QOperator)):
        quantization.quantize_static(source, folder / f"{name}-q-{way}.onnx", Calibration(onnx.load(source)), quant_format=kind,
                                     per_channel=per_channel, weight_type=quantization.QuantType.QInt8)


def main(folder):
    for name in FILES:
        source = folder / f"{name}.onnx"
        model = onnx.load(source)
        onnxslim.slim(str(source), str(folder / f"{name}-slim.onnx"))
        simplified, is_right = onnxsim.simplify(model)
        if is_right:
            onnx.save(simplified, folder / f"{name}-sim.onnx")
    for name in FILES[:3]:
        quantize(folder, name)
    onnx.save(onnx.load(folder / f"{FILES[0]}.onnx"), folder / f"{FILES[0]}-external.onnx", save_as_external_data=True,
              all_tensors_to_one_file=False, size_threshold=0)
    onnx.save(onnx.load(folder / f"{FILES[2]}.onnx"), folder / f"{FILES[2]}-external.onnx", save_as_external_data=True,
              location=f"{FILES[2]}-external.bin", size_threshold=0)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
