# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Computes a ConvTranspose with output_shape by TVM."""
import numpy
import tvm
from one_conv_transpose import model
from tvm import relax
from tvm.relax.frontend.onnx import from_onnx

for shape in (None, [5]):
    attributes = {} if shape is None else {"output_shape": shape}
    module = from_onnx(model([1, 1, 3], [1, 1, 2], strides=[2], **attributes))
    module = relax.transform.LegalizeOps()(relax.transform.DecomposeOpsForInference()(module))
    machine = relax.VirtualMachine(relax.build(module, target=tvm.target.Target({"kind": "llvm", "num-cores": 1})), tvm.cpu())
    output = machine["main"](tvm.runtime.tensor(numpy.ones([1, 1, 3], "float32")))
    output = output if hasattr(output, "numpy") else output[0]
    print("output_shape", shape, "gives", output.numpy().shape)
