# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Makes ONNX Runtime a backend (a library under test) of deconv-cts, the test suite for transposed convolutions.

    python3 -m deconv_backend onnx_runtime.py [--option provider=CPUExecutionProvider] [--option threads=N]
        [--option optimize=all] [--option opset=11] [--option filter=input]

The suite calls run() with the attributes as a model has them (class Operator of deconv_backend/operators.py). ONNX
Runtime resolves them itself. Each operator is a model with one node, a ConvTranspose. The option `provider` is any
execution provider of the installed ONNX Runtime. With filter=input the filter is a second input of the model.

Choices of this adapter, not of ONNX Runtime:
- An attribute that the operator does not have is left out of the model.
- The model leaves the output's shape open, so that the library computes it.
"""
import deconv_backend
import onnxruntime

PROVIDER = deconv_backend.option("provider", "CPUExecutionProvider")
THREADS = int(deconv_backend.option("threads", "1"))
OPTIMIZE = deconv_backend.option("optimize", "disabled", ["disabled", "basic", "extended", "all"])
OPSET = int(deconv_backend.option("opset", "11"))
FILTER = deconv_backend.option("filter", "initializer", ["initializer", "input"])
LEVELS = {"disabled": "ORT_DISABLE_ALL", "basic": "ORT_ENABLE_BASIC", "extended": "ORT_ENABLE_EXTENDED",
          "all": "ORT_ENABLE_ALL"}
supports = deconv_backend.supports_conv_transpose


def run(operator, data, filter):
    if reason := supports(operator):
        raise deconv_backend.Unsupported(reason)
    # An invalid operator may come without values: zeros in f32 or boolean then show whether ONNX Runtime refuses it.
    data = deconv_backend.filled(data, operator.data, "data", ["f32", "boolean"])
    filter = deconv_backend.filled(filter, operator.filter, "filter", ["f32", "boolean"])
    settings = onnxruntime.SessionOptions()
    settings.graph_optimization_level = getattr(onnxruntime.GraphOptimizationLevel, LEVELS[OPTIMIZE])
    settings.intra_op_num_threads = settings.inter_op_num_threads = THREADS
    settings.log_severity_level = 4  # fatal errors only: the adapter passes on the messages of exceptions
    as_input = FILTER == "input"
    model = deconv_backend.conv_transpose_model(operator, None if as_input else filter, OPSET)
    session = onnxruntime.InferenceSession(model, settings, providers=[PROVIDER])
    return session.run(["Y"], {"X": data, "W": filter} if as_input else {"X": data})[0]


if __name__ == "__main__":
    if PROVIDER not in onnxruntime.get_available_providers():
        raise SystemExit(f"option provider={PROVIDER}: expected one of "
                         f"{', '.join(onnxruntime.get_available_providers())}")
    onnxruntime.set_default_logger_severity(4)
    deconv_backend.serve(
        run=run, supports=supports, name=f"onnxruntime-{PROVIDER.removesuffix('ExecutionProvider').lower()}",
        version=onnxruntime.__version__, dialects=["onnxruntime"], types=["f32"], refuses=[Exception])
