# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""The program deconv-capture: runs a model in its own runtime and records its transposed convolutions as cases. This
file reads the command line, chooses the reader by the format of the model, and turns failures into exit codes.

    deconv-capture MODEL|SCRIPT.py [--input NAME=DIMS]... [--out FOLDER] [--runtime NAME] [--calls N] [--seed N]
                   [--dialect NAME]

Exit codes: 0 layers were captured, 2 wrong usage or unreadable input, 3 the runtime is missing or failed (what was
captured until then is kept), 5 nothing was captured.
"""
import argparse
import importlib
import os
import pathlib
import sys
import traceback

if not __package__:  # started by its folder: python3 path/to/deconv_capture
    sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

from deconv_capture import inputs, model_kind  # noqa: E402
from deconv_capture.recorder import CaptureError, Recorder, one_line  # noqa: E402


def _parser():
    parser = argparse.ArgumentParser(
        prog="deconv-capture", description="Runs a model in its own runtime and records its transposed convolutions as "
        "cases for deconv-cts: attributes, sizes, values and the runtime's outputs.",
        epilog="Then: deconv-cts judge-recorded captured/cases.txt")
    parser.add_argument("model", help="a model file or folder, or a Python script, which is run")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="of the script")
    parser.add_argument("--input", action="append", default=[], metavar="NAME=DIMS",
                        help="sizes of an input (x=1,3,64,64), an array (x=file.npy) or values ('x=[1,2]')")
    parser.add_argument("--out", default="captured", metavar="FOLDER", help="default: captured")
    parser.add_argument("--runtime", choices=sorted(model_kind.READERS), help="default: the one of the file's format")
    parser.add_argument("--calls", type=int, default=1, metavar="N",
                        help="how often a layer with the same sizes is recorded; default: 1")
    parser.add_argument("--dialect", help="the dialect of the cases, such as onnxruntime or openvino-runtime")
    parser.add_argument("--seed", type=int, default=0, help="of the values that are drawn")
    return parser


def _with_options_first(arguments):
    """Moves options behind a model to the front, so that the parser sees them: ["net.onnx", "--calls", "2"] becomes
    ["--calls", "2", "net.onnx"]. Behind a script, all arguments belong to the script."""
    for at, argument in enumerate(arguments):
        if argument.startswith("-"):
            continue
        if at > 0 and arguments[at - 1].startswith("--") and "=" not in arguments[at - 1]:
            continue  # the value of an option
        if not argument.endswith(".py"):
            return arguments[:at] + arguments[at + 1:] + [argument]
        break
    return arguments


def _place_of(error):
    """Returns the file and line where the error left this package. The frames below belong to NumPy or a runtime."""
    own = os.path.dirname(os.path.abspath(__file__))
    frames = traceback.extract_tb(error.__traceback__)
    place = [frame for frame in frames if os.path.dirname(os.path.abspath(frame.filename)) == own][-1]
    return f"{os.path.basename(place.filename)}:{place.lineno}"


def _capture_model(reader, options, recorder, given):
    """Captures a model. An error that no reader foresees becomes a CaptureError with one sentence, too, because files
    can be damaged in countless ways. With DECONV_CAPTURE_TRACEBACK, its traceback comes before the sentence.

    `given` has the inputs of the command line, see inputs.parse.
    """
    try:
        reader.capture(options.model, recorder, given, options.seed)
    except CaptureError:
        raise
    except Exception as error:
        if os.environ.get("DECONV_CAPTURE_TRACEBACK"):
            traceback.print_exc()
        text = one_line(error, 400).strip() or "no message"
        raise CaptureError(f"{options.model}: {type(error).__name__}: {text} ({_place_of(error)})") from None


def main(arguments=None):
    options = _parser().parse_args(_with_options_first(list(sys.argv[1:] if arguments is None else arguments)))
    recorder = None
    try:
        if options.arguments and not options.model.endswith(".py"):
            raise CaptureError(f"found the arguments {' '.join(options.arguments)} behind a model: only a script has some")
        given = inputs.parse(options.input)
        runtime = options.runtime or model_kind.runtime_of(options.model)
        recorder = Recorder(options.out, options.calls, options.dialect, pathlib.Path(options.model).name)
        reader = importlib.import_module("deconv_capture." + model_kind.READERS[runtime])
        if runtime == "script":
            reader.capture(options.model, recorder, options.arguments)
        else:
            _capture_model(reader, options, recorder, given)
    except CaptureError as error:
        print(f"deconv-capture: {one_line(error, 600)}", file=sys.stderr)
        if recorder is not None and (recorder.count or error.exit_code == 3):
            recorder.finish()
        return error.exit_code
    return recorder.finish()


if __name__ == "__main__":
    sys.exit(main())
