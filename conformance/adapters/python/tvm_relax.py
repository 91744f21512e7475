# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Apache TVM: a ConvTranspose through TVM's reader of ONNX models (Relax), compiled for the CPU by LLVM.

    python3 -m deconv_backend tvm_relax.py

TVM resolves the attributes itself. Readings of this adapter, not of TVM: the filter is an input of the model. TVM
inserts zeros between the data, and the adapter declares that it multiplies them.
"""
import functools
import math

import deconv_backend
import numpy
import onnx
import tvm
from tvm import relax
from tvm.relax.frontend.onnx import from_onnx

TARGET = tvm.target.Target({"kind": "llvm", "num-cores": 1})
# The suite sends no values with an invalid operator whose tensors are large. It is tried on zeros up to this size.
MOST_TRIED = 1 << 22


def supports(operator):
    return "a third input is a bias, which is not driven" if operator.output_shape is not None else None


def filled(array, tensor, role):
    if array is not None:
        return array
    if min(tensor.dims, default=0) < 0:
        raise deconv_backend.Refused(f"{role}: a tensor cannot have a negative dimension")
    if math.prod(tensor.dims) > MOST_TRIED:
        raise deconv_backend.Unsupported(f"{role}: too large to be tried")
    if tensor.element_type != "f32":
        raise deconv_backend.Refused(f"{role}: no array of type {tensor.element_type}")
    return numpy.zeros(tensor.dims, numpy.float32)


@functools.lru_cache(maxsize=64)
def machine_of(model):
    module = from_onnx(onnx.load_from_string(model))
    module = relax.transform.LegalizeOps()(relax.transform.DecomposeOpsForInference()(module))
    return relax.VirtualMachine(relax.build(module, target=TARGET), tvm.cpu())


def run(operator, data, filter):
    if reason := supports(operator):
        raise deconv_backend.Unsupported(reason)
    data, filter = filled(data, operator.data, "data"), filled(filter, operator.filter, "filter")
    machine = machine_of(deconv_backend.conv_transpose_model(operator))
    output = machine["main"](tvm.runtime.tensor(data), tvm.runtime.tensor(filter))
    return (output if hasattr(output, "numpy") else output[0]).numpy()


if __name__ == "__main__":
    deconv_backend.serve(
        run=run, supports=supports, name="tvm-relax", version=tvm.__version__, dialects=["onnx-11"], types=["f32"],
        refuses=[Exception], max_attribute=2**31 - 1, unsupported=["empty-tensors"],
        known_deviations=["structural-nan"])
