# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Records transposed convolutions in PyTorch.

A mode of its dispatcher sees each call of aten.convolution that is transposed, so modules, functional calls,
TorchScript and exported programs are all recorded. A bias is an argument of the operator. If there is a bias, the
operator runs once more without it, and that output is recorded.
"""
import contextlib
import functools
import os
import sys
import warnings

import numpy

from deconv_capture import inputs
from deconv_capture.recorder import CaptureError, Layer, program_line


def _numpy_of(torch, tensor):
    """Returns a tensor as an array. NumPy has no bf16, so its bits become integers of 16 bits."""
    tensor = tensor.detach().cpu().contiguous()
    return tensor.view(torch.uint16 if hasattr(torch, "uint16") else torch.int16).numpy() \
        if tensor.dtype == torch.bfloat16 else tensor.numpy()


def _has_values(tensor):
    """Whether a tensor has values. Tracers run a program on tensors that have sizes alone."""
    return type(tensor).__name__ != "FakeTensor" and not tensor.is_meta


def _caller(torch):
    """Returns a name for the call: the module's path from the outermost module, or the file and line of the program."""
    frame, modules = sys._getframe(1), []
    packages = os.path.dirname(os.path.dirname(os.path.abspath(torch.__file__)))
    while frame is not None:
        owner = frame.f_locals.get("self")
        if isinstance(owner, torch.nn.Module) and (not modules or modules[-1] is not owner):
            modules.append(owner)
        frame = frame.f_back
    if modules:
        for name, module in modules[-1].named_modules():
            if module is modules[0] and name:
                return name
    return program_line(sys._getframe(1), lambda file: file.startswith(packages))


@contextlib.contextmanager
def watching(torch, recorder, names=None):
    """Records the calls in the body of `with`, in this thread. `names` maps the address of a filter to its layer's
    name."""
    from torch.utils._python_dispatch import TorchDispatchMode
    recorder.runtime = recorder.runtime or f"PyTorch {torch.__version__}"

    class Watch(TorchDispatchMode):
        def __torch_dispatch__(self, function, types, arguments=(), named=None):
            output = function(*arguments, **(named or {}))
            # Traced programs call _convolution, which has four arguments more. Argument 6 is `transposed`.
            if function.name() in ("aten::convolution", "aten::_convolution") and arguments[6] and _has_values(arguments[0]):
                name = (names or {}).get(arguments[1].data_ptr()) or _caller(torch)
                _record(torch, recorder, name, function, arguments, output)
            return output

    with contextlib.ExitStack() as stack:
        stack.enter_context(Watch())
        for module, name in ((torch.jit, "trace"), (torch.jit, "trace_module"), (torch.export, "export"),
                             (torch.onnx, "export")):
            _pause_in(module, name, stack)
        yield


def _pause_in(module, name, stack):
    """Switches the mode off while the tracer `name` runs, because PyTorch's tracers do not see operators below a
    mode."""
    from torch.utils._python_dispatch import _disable_current_modes
    traced = getattr(module, name)

    @functools.wraps(traced)
    def paused(*arguments, **named):
        with _disable_current_modes():
            return traced(*arguments, **named)

    setattr(module, name, paused)
    stack.callback(setattr, module, name, traced)


def _record(torch, recorder, name, function, arguments, output):
    """Records one call of aten.convolution, which is `function`. If it had a bias, the operator runs again without
    it."""
    data, weights, bias, strides, pads, dilations, _, output_padding, groups = arguments[:9]
    if data.dim() != weights.dim():
        recorder.skip(name, f"data of {data.dim()} axes with a filter of {weights.dim()} has no case")
        return
    axes = data.dim() - 2

    def wide(values):  # one value stands for all axes
        return [int(value) for value in values] * (axes if len(values) == 1 else 1)

    attributes = {"strides": wide(strides), "pads_begin": wide(pads), "pads_end": wide(pads),
                  "dilations": wide(dilations), "output_padding": wide(output_padding)}
    if groups != 1:
        attributes["groups"] = int(groups)
    if not recorder.wants(name, "ConvTranspose", data.shape, weights.shape, attributes):
        return
    notes = []
    if bias is not None:
        plain = function(*arguments[:2], None, *arguments[3:])
        shaped = bias.reshape([1, -1] + [1] * axes)
        distance = (output.double() - (plain.double() + shaped.double())).abs().max().item() if output.numel() else 0.0
        notes.append(f"with its bias the output differs from the recorded output + bias by at most {distance:.3g}")
        output = plain
    recorder.record(Layer(name, "ConvTranspose", _numpy_of(torch, data), _numpy_of(torch, weights),
                          _numpy_of(torch, output), attributes,
                          _numpy_of(torch, bias) if bias is not None else None,
                          "bf16" if data.dtype == torch.bfloat16 else None, notes))


def _loaded(torch, path):
    """Returns the callable of a file, and {input name: (dims, type)} as far as the file says."""
    if path.endswith(".pt2"):
        program = torch.export.load(path)
        wanted = {}
        tensors = {node.name: node.meta.get("val") for node in program.graph.nodes if node.op == "placeholder"}
        for name in program.graph_signature.user_inputs:
            value = tensors.get(name)
            if value is not None:
                dims = [int(dim) if isinstance(dim, int) else str(dim) for dim in value.shape]
                wanted[name] = (dims, str(value.dtype).removeprefix("torch."))
        return program.module(), wanted
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)  # torch.jit is deprecated, which the owner of a file knows
            module = torch.jit.load(path, map_location="cpu")
    except Exception as error:
        raise CaptureError(f"{path}: is not TorchScript ({str(error).splitlines()[0]}); an exported program ends in .pt2; "
                           "load other files in a script, call the model there, and capture the script") from None
    graph_inputs = [value for value in module.forward.graph.inputs()][1:]
    return module, {value.debugName().split(".")[0]: (None, "float32") for value in graph_inputs}


def capture(path, recorder, given, seed):
    """Runs the model on the given inputs, draws the others from the seed, and records its layers."""
    try:
        import torch
    except ImportError as error:
        raise CaptureError(f"{path}: {error}; install torch", 3) from None
    try:
        module, wanted = _loaded(torch, path)
    except (OSError, RuntimeError, ValueError, KeyError) as error:
        raise CaptureError(f"{path}: PyTorch cannot load it: {error}") from None
    feeds = inputs.fill(wanted, given, seed)
    names = {tensor.data_ptr(): name.rpartition(".")[0] or name for name, tensor in module.named_parameters()}
    with torch.no_grad(), watching(torch, recorder, names):
        try:
            module(*(torch.from_numpy(numpy.ascontiguousarray(feeds[name])) for name in wanted))
        except CaptureError:
            raise
        except Exception as error:
            raise CaptureError(f"PyTorch failed: {type(error).__name__}: {error}", 3) from None
