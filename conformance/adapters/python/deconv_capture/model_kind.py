# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Finds the runtime that a model belongs to, from the content of the file, and from its name if formats look alike."""
import pathlib
import zipfile

from deconv_capture.recorder import CaptureError

# The module that captures in each runtime.
READERS = {"onnxruntime": "onnx_reader", "openvino": "openvino_reader", "pytorch": "pytorch_reader",
           "tensorflow": "tensorflow_reader", "litert": "litert_reader", "paddle": "paddle_reader",
           "script": "script_reader"}

# Files in the place of a model, whatever their names: (how their content begins in lower case, what they are, advice).
_NO_MODELS = [
    (b"version https://git-lfs", "a pointer of Git LFS in the model's place", "fetch the model with git lfs pull"),
    (b"<!doctype html", "a web page", "download the model itself"),
    (b"<html", "a web page", "download the model itself"),
]

# Formats that no reader takes: (how their content begins, what they are, how they become one that a reader takes).
_FOREIGN = [
    (b"7767517\n", "an ncnn model", "capture the model that it was converted from"),
    (b"\x89HDF\r\n\x1a\n", "an HDF5 file of Keras or PyTorch", "load it in a script and capture the script"),
    (b"GGUF", "a GGUF file", "its runtime has no transposed convolution with attributes"),
]


def runtime_of(model):
    """Returns the key of READERS for a model, which is the path of a file or folder. Raises CaptureError if it is
    none."""
    path = pathlib.Path(model)
    if path.is_dir():
        if (path / "saved_model.pb").is_file():
            return "tensorflow"
        raise CaptureError(f"{model}: is a folder without saved_model.pb")
    try:
        with open(path, "rb") as file:
            start = file.read(64)
    except OSError as error:
        raise CaptureError(f"{model}: {error.strerror}") from None
    if not start:
        raise CaptureError(f"{model}: is empty")
    for begin, what, advice in _NO_MODELS:
        if start.lstrip().lower().startswith(begin):
            raise CaptureError(f"{model}: is {what}; {advice}")
    suffix = path.suffix.lower()
    if suffix == ".py":
        return "script"
    if start[4:8] == b"TFL3":
        return "litert"
    if suffix == ".keras" and not start.startswith(b"\x89HDF") and not zipfile.is_zipfile(path):
        raise CaptureError(f"{model}: is no archive of Keras, or is cut short")
    if suffix in (".keras", ".h5"):
        return "tensorflow"
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
        return "tensorflow" if "metadata.json" in names and "config.json" in names else "pytorch"  # those of Keras
    if suffix in (".pdmodel", ".pdiparams") or (suffix == ".json" and b'"base_code"' in start):
        return "paddle"
    if start.lstrip().startswith((b"<?xml", b"<net")):
        return "openvino"
    for begin, what, advice in _FOREIGN:
        if start.startswith(begin):
            raise CaptureError(f"{model}: is {what}; {advice}")
    if suffix == ".onnx" or start[0] == 0x08:  # ModelProto, ONNX's message, begins with its field 1, the version
        return "onnxruntime"
    raise CaptureError(f"{model}: is none of ONNX, OpenVINO IR, TorchScript, .pt2, SavedModel, .keras, LiteRT, "
                       "PaddlePaddle or a Python script; --runtime names one of " + ", ".join(READERS))
