# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Records the transposed convolutions that a model runs in its own runtime, as cases of deconv-cts: each case is an
operator with its values and the runtime's output, which the suite can judge. The page is ../capture.md.

    python3 -m deconv_capture model.onnx --input x=1,3,64,64

In a program of PyTorch, TensorFlow, Keras or PaddlePaddle:

    import deconv_capture
    with deconv_capture.recording("captured"):
        model(x)
"""
import contextlib

from deconv_capture.recorder import CaptureError, Recorder

__all__ = ["CaptureError", "Recorder", "recording"]


@contextlib.contextmanager
def recording(folder, calls=1):
    """Records all transposed convolutions that run in the body of `with`, into the folder. Frameworks that are imported
    before or in the body are watched. `calls` is how often a layer with the same sizes is recorded."""
    from deconv_capture import script_reader
    recorder = Recorder(folder, calls=calls)
    with script_reader.watching(recorder):
        yield recorder
