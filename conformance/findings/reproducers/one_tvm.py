# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Runs one ConvTranspose by TVM along one axis, with a filter of ones, for the reproducers tvm-*.py in this folder."""
import numpy
import tvm
from one_conv_transpose import model
from tvm import relax
from tvm.relax.frontend.onnx import from_onnx


def run(kernel, **attributes):
    """Returns the output for the data 1, 2, 3 and `kernel` weights of 1. `attributes` are those of ONNX."""
    module = from_onnx(model([1, 1, 3], [1, 1, kernel], **attributes))
    module = relax.transform.LegalizeOps()(relax.transform.DecomposeOpsForInference()(module))
    machine = relax.VirtualMachine(relax.build(module, target=tvm.target.Target({"kind": "llvm", "num-cores": 1})), tvm.cpu())
    output = machine["main"](tvm.runtime.tensor(numpy.array([[[1, 2, 3]]], numpy.float32)))
    return (output if hasattr(output, "numpy") else output[0]).numpy().flatten().tolist()
