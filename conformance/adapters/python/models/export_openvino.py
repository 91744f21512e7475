# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Saves PyTorch's ONNX files as OpenVINO IR: f32, f16, bf16, versions 10 and 11, and weights and data of NNCF in int8.

    export_openvino.py FOLDER      called by export_models, after export_torch.py
"""
import pathlib
import sys

import nncf
import numpy
import openvino

FILES = ("decoder-torch-script", "grouped-torch-script-open", "vocoder-torch-script", "volume-torch-script")


def with_constants_of(model, kind):
    """Gives each f32 constant another type, and a Convert after it."""
    for node in model.get_ops():
        if node.get_type_name() == "Constant" and node.get_element_type() == openvino.Type.f32:
            narrow = openvino.opset13.constant(node.data.astype(numpy.float32), kind)
            wide = openvino.opset13.convert(narrow, openvino.Type.f32)
            for target in node.output(0).get_target_inputs():
                target.replace_source_output(wide.output(0))
    return model


def main(folder):
    nncf.set_log_level(40)  # errors only
    core = openvino.Core()
    for name in FILES:
        def read(file=folder / f"{name}.onnx"):  # anew each time, because the functions below change a model
            return core.read_model(file)

        stem = name.replace("torch-script", "openvino")
        openvino.save_model(read(), folder / f"{stem}-f32.xml", compress_to_fp16=False)
        openvino.save_model(read(), folder / f"{stem}-f16.xml")
        openvino.save_model(with_constants_of(read(), openvino.Type.bf16), folder / f"{stem}-bf16.xml", compress_to_fp16=False)
        openvino.serialize(read(), folder / f"{stem}-v10.xml", folder / f"{stem}-v10.bin", "IR_V10")
        dims = [size.get_length() if size.is_static else 8 for size in read().input(0).partial_shape]
        batches = [numpy.random.default_rng(1).standard_normal(dims, numpy.float32)]
        openvino.save_model(nncf.quantize(read(), nncf.Dataset(batches), subset_size=1), folder / f"{stem}-nncf-int8.xml",
                            compress_to_fp16=False)
        openvino.save_model(nncf.compress_weights(read(), mode=nncf.CompressWeightsMode.INT8_SYM),
                            folder / f"{stem}-nncf-weights.xml", compress_to_fp16=False)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
