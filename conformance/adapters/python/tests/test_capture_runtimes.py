# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Captures tiny models in each runtime that is installed, and has deconv-cts judge the recorded outputs. Tests of other
runtimes are skipped. The programs below save the models."""
import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from tests.test_capture import PROGRAM, judged

PACKAGE = pathlib.Path(__file__).resolve().parent.parent / "deconv_capture"

ONNX = '''
import numpy, onnx
from onnx import TensorProto, helper, numpy_helper
random = numpy.random.default_rng(1)
filters = [random.standard_normal(dims, numpy.float32) for dims in ((3, 4, 3, 3), (4, 1, 2, 2))]
bias = random.standard_normal(4, numpy.float32)
graph = helper.make_graph(
    [helper.make_node("Add", ["x", "s"], ["xs"]),
     helper.make_node("ConvTranspose", ["xs", "w1", "b1"], ["a"], "up1", strides=[2, 2], pads=[1, 1, 1, 1],
                      output_padding=[1, 1]),
     helper.make_node("Relu", ["a"], ["r"]),
     helper.make_node("ConvTranspose", ["r", "w2"], ["y"], "up2", strides=[2, 2], group=2)],
    "g", [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 3, "h", "w"]),
          helper.make_tensor_value_info("s", TensorProto.FLOAT, [1, 3, 1, 1])],
    [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
    [numpy_helper.from_array(*pair) for pair in ((filters[0], "w1"), (bias, "b1"), (filters[1], "w2"))])
onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), "net.onnx")
'''

ONNX_DAMAGED = '''
import onnx
from onnx import TensorProto, helper
ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, 1, 3]) for name in "xy"]
opsets = [helper.make_opsetid("", 17), helper.make_opsetid("own", 1)]
itself = helper.make_function("own", "F", ["a"], ["b"], [helper.make_node("F", ["a"], ["b"], domain="own")], opsets)
def up(inputs, outputs):
    return helper.make_node("ConvTranspose", inputs, outputs, "up")
for name, node, functions in (("one_input", up(["x"], ["y"]), []),
                              ("no_filter", up(["x", ""], ["y"]), []),
                              ("only_bias", up(["x", "", "b"], ["y"]), []),
                              ("no_output", up(["x", "x"], [""]), []),
                              ("recursive", helper.make_node("F", ["x"], ["y"], domain="own"), [itself])):
    graph = helper.make_graph([node], "g", ends[:1], ends[1:])
    onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=8, functions=functions), name + ".onnx")
'''

TORCH = '''
import torch
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.up = torch.nn.ConvTranspose2d(4, 3, 3, stride=2, padding=1, output_padding=1)
        self.one = torch.nn.ConvTranspose1d(3, 2, 4, bias=False)
    def forward(self, x):
        return self.one(torch.relu(self.up(x)).flatten(2))
net = Net()
torch.export.save(torch.export.export(net, (torch.randn(1, 4, 8, 8),)), "net.pt2")
'''
TORCH_SCRIPT = TORCH + '''
for step in range(3):
    net(torch.randn(1, 4, 8, 8)).sum().backward()
torch.nn.functional.conv_transpose3d(torch.randn(1, 2, 2, 3, 3), torch.randn(2, 2, 2, 2, 2), stride=(1, 2, 3), groups=2)
'''

KERAS = '''
import keras, tensorflow
start = keras.Input((None, 6, 3))
x = keras.layers.Conv2DTranspose(4, 3, strides=2, padding="same", activation="relu", name="up1",
                                 bias_initializer="random_normal")(start)
x = keras.layers.Conv2DTranspose(2, 2, strides=3, padding="valid", name="up2", bias_initializer="random_normal")(x)
model = keras.Model(start, x)
model.save("net.keras")
model.export("saved", verbose=False)
fixed = keras.Input((5, 6, 3))
converter = tensorflow.lite.TFLiteConverter.from_keras_model(keras.Model(fixed, model(fixed)))
open("net.tflite", "wb").write(converter.convert())
converter.optimizations, converter.target_spec.supported_types = [tensorflow.lite.Optimize.DEFAULT], [tensorflow.float16]
open("narrow.tflite", "wb").write(converter.convert())
'''
KERAS_SCRIPT = '''
import keras, numpy, tensorflow
model = keras.saving.load_model("net.keras")
model.predict(numpy.random.randn(1, 5, 6, 3).astype("f4"), verbose=0)
@tensorflow.function(jit_compile=True)
def explicit(x, w):
    return tensorflow.nn.conv2d_transpose(x, w, [1, 10, 12, 2], 2, [[0, 0], [1, 1], [1, 1], [0, 0]])
explicit(tensorflow.random.normal([1, 5, 6, 3]), tensorflow.random.normal([3, 3, 2, 3]))
'''

PADDLE = '''
import paddle
class Net(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.up = paddle.nn.Conv2DTranspose(4, 6, 3, stride=2, padding=1, output_padding=1, groups=2)
        self.same = paddle.nn.Conv2DTranspose(6, 2, 3, stride=2, padding="SAME")
    def forward(self, x):
        return self.same(paddle.nn.functional.relu(self.up(x)))
net = Net()
net.eval()
net(paddle.randn([1, 4, 5, 6]))
paddle.jit.save(net, "net", input_spec=[paddle.static.InputSpec([None, 4, None, 6], "float32", "x")])
'''


def has(*modules):
    """Whether all these modules are installed."""
    return all(importlib.util.find_spec(module) is not None for module in modules)


@unittest.skipUnless(PROGRAM, "DECONV_CTS does not name the program")
class Runtimes(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def write(self, name, text):
        pathlib.Path(self.folder, name).write_text(text)

    def make(self, text):
        """Runs a program that saves models."""
        self.write("make.py", text)
        done = subprocess.run([sys.executable, "make.py"], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def captures(self, layers, *arguments):
        """Captures by these arguments, and checks that so many layers are judged right. Returns the case list."""
        done = subprocess.run([sys.executable, str(PACKAGE), *arguments], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        for warning in ("Even though the `tf.config", "FutureWarning"):  # of what the capture calls, not the script
            self.assertNotIn(warning, done.stderr)
        code, text = judged(os.path.join(self.folder, "captured"))
        self.assertEqual(code, 0, text)
        self.assertIn(f"{layers} passed", text)
        return pathlib.Path(self.folder, "captured", "cases.txt").read_text()

    @unittest.skipUnless(has("onnx", "onnxruntime"), "needs onnx and onnxruntime")
    def test_onnx_models_are_captured_in_onnx_runtime(self):
        self.make(ONNX)
        cases = self.captures(2, "net.onnx", "--input", "x=1,3,5,6")
        self.assertIn("the recorded output is without it; then Relu", cases)
        # A model that fails at its second layer leaves the first one.
        self.make(ONNX.replace("(4, 1, 2, 2)", "(6, 1, 2, 2)"))
        done = subprocess.run([sys.executable, str(PACKAGE), "net.onnx", "--input", "x=1,3,5,6"], cwd=self.folder,
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("ONNX Runtime", done.stderr)

    @unittest.skipUnless(has("onnx", "onnxruntime"), "needs onnx and onnxruntime")
    def test_damaged_onnx_models_end_with_a_sentence(self):
        self.make(ONNX_DAMAGED)
        for name, code, message in (("one_input", 5, "skipped: found 1 inputs and 1 outputs, expected 2 or 3 inputs"),
                                    ("no_filter", 5, "skipped: found 1 inputs and 1 outputs, expected 2 or 3 inputs"),
                                    ("only_bias", 5, "bias) and 1 output; empty names: filter"),
                                    ("no_output", 5, "skipped: found 2 inputs and 0 outputs, expected 2 or 3 inputs"),
                                    ("recursive", 2, "its functions cannot be inlined")):
            done = subprocess.run([sys.executable, str(PACKAGE), f"{name}.onnx"], cwd=self.folder, capture_output=True,
                                  text=True)
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertIn(message, done.stderr)
            self.assertNotIn("Traceback", done.stderr)

    @unittest.skipUnless(has("onnx", "openvino"), "needs onnx and openvino")
    def test_models_of_onnx_and_ir_are_captured_in_openvino(self):
        self.make(ONNX + "import openvino\nopenvino.save_model(openvino.convert_model('net.onnx'), 'net.xml', False)\n")
        for model in ("net.onnx", "net.xml"):
            cases = self.captures(2, model, "--input", "x=1,3,5,6", "--runtime", "openvino")
            self.assertIn("GroupConvolutionBackpropData:", cases)

    @unittest.skipUnless(has("torch"), "needs torch")
    def test_scripts_and_exported_programs_are_captured_in_pytorch(self):
        self.write("script.py", TORCH_SCRIPT)
        cases = self.captures(3, "script.py")
        self.assertIn("# up; its bias is in", cases)
        self.assertIn("# script.py:", cases)
        self.captures(2, "net.pt2")

    @unittest.skipUnless(has("tensorflow", "keras"), "needs tensorflow and keras")
    def test_keras_saved_models_scripts_and_litert_are_captured_in_tensorflow(self):
        self.make(KERAS)
        for model in ("net.keras", "saved"):
            done = subprocess.run([sys.executable, str(PACKAGE), model], cwd=self.folder, capture_output=True, text=True)
            self.assertIn("open inputs: ", done.stderr)
            name = done.stderr.split("open inputs: ")[1].split(" ")[0]
            self.captures(2, model, "--input", name + "=1,5,6,3")
        self.write("script.py", KERAS_SCRIPT)
        self.captures(3, "script.py")
        cases = self.captures(2, "net.tflite")
        self.assertIn("its bias is in", cases)
        self.captures(2, "narrow.tflite")

    @unittest.skipUnless(has("paddle"), "needs paddlepaddle")
    def test_scripts_and_inference_models_are_captured_in_paddle(self):
        self.write("script.py", PADDLE)
        self.captures(2, "script.py")
        self.captures(2, "net.json", "--input", "x=1,4,5,6")
