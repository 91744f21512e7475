# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Makes Apache TVM a backend (a library under test) of deconv-cts, the test suite for transposed convolutions.

    python3 -m deconv_backend tvm_relax.py

The suite calls run() with the attributes as a model has them (class Operator of deconv_backend/operators.py). TVM
resolves them itself. Each operator is an ONNX model with one ConvTranspose. TVM's reader of ONNX models (Relax) reads
it, and LLVM compiles it for the CPU.

Choices of this adapter, not of TVM:
- The filter is an input of the model.
- TVM inserts zeros between the data. The adapter declares that TVM multiplies them.
"""
import functools

import deconv_backend
import onnx
import tvm
from tvm import relax
from tvm.relax.frontend.onnx import from_onnx

TARGET = tvm.target.Target({"kind": "llvm", "num-cores": 1})
MOST_REACH = 1 << 13  # largest dilation * (kernel - 1): a dilation of 8192 takes 4 s, one of 16384 takes 16 s


def supports(operator):
    dilations = operator.dilations or []
    if any(dilation * (kernel - 1) > MOST_REACH for dilation, kernel in zip(dilations, operator.filter.dims[2:])):
        return "TVM multiplies the zeros between the taps of a dilated filter: too slow"
    return deconv_backend.supports_conv_transpose(operator)


@functools.lru_cache(maxsize=64)
def machine_of(model):
    """Compiles the bytes of an ONNX model. Returns TVM's virtual machine, which runs it."""
    module = from_onnx(onnx.load_from_string(model))
    module = relax.transform.LegalizeOps()(relax.transform.DecomposeOpsForInference()(module))
    return relax.VirtualMachine(relax.build(module, target=TARGET), tvm.cpu())


def run(operator, data, filter):
    if reason := supports(operator):
        raise deconv_backend.Unsupported(reason)
    data = deconv_backend.filled(data, operator.data, "data", ["f32"])
    filter = deconv_backend.filled(filter, operator.filter, "filter", ["f32"])
    machine = machine_of(deconv_backend.conv_transpose_model(operator))
    output = machine["main"](tvm.runtime.tensor(data), tvm.runtime.tensor(filter))
    return (output if hasattr(output, "numpy") else output[0]).numpy()


if __name__ == "__main__":
    deconv_backend.serve(
        run=run, supports=supports, name="tvm-relax", version=tvm.__version__, dialects=["onnx-11"], types=["f32"],
        refuses=[Exception], max_attribute=2**31 - 1, unsupported=["empty-tensors"],
        known_deviations=["structural-nan"])
