# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Turns one Python function on NumPy arrays into a backend of deconv-cts, that is, a library that the suite tests.

    import deconv_backend

    def deconv(data, filter, geometry):   # [N, C, spatial...], [G, C/G, O/G, spatial...], sizes and attributes
        return ...                        # [N, O, spatial...], of the element type of data

    deconv_backend.serve(deconv, name="mine", version="1.0", types=["f32"])

Run it with `python3 -m deconv_backend my_adapter.py`. The page is ../README.md. The names below are loaded when they
are first used, because the small client processes of start_server.py need neither NumPy nor most of this package.
"""
import importlib

_MODULES = {  # a name of this package, and the module that defines it
    "serve": "serving",
    "option": "options",
    "DiskCache": "disk_cache",
    "Refused": "answers",
    "Unsupported": "answers",
    "Operator": "operators",
    "Geometry": "operators",
    "filled": "tensors",
    "refuse_negative_dims": "tensors",
    "bf16_to_f32": "tensors",
    "f32_to_bf16": "tensors",
    "conv_transpose_model": "onnx_model",
    "supports_conv_transpose": "onnx_model",
}
__all__ = list(_MODULES)


def __getattr__(name):
    if name not in _MODULES:
        raise AttributeError(f"module 'deconv_backend' has no attribute '{name}'")
    value = getattr(importlib.import_module(f"{__name__}.{_MODULES[name]}"), name)
    globals()[name] = value
    return value
