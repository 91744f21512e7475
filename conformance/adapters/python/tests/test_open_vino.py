# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Runs the adapter of OpenVINO with a stand-in for the module `openvino`, which reads the IR (the model in XML) and
returns an output of the size that it finds there.

This tests the adapter's own code and the IR that it writes. It does not test OpenVINO.
"""
import os
import pathlib
import sys

import numpy

from tests.client import PACKAGE, AdapterTest, Client

MODULE = '''
import xml.etree.ElementTree as xml
import numpy

class Word:
    def __init__(self, text):
        self.text = text
    def astype(self, kind):
        return kind(self.text)

class Node:
    def __init__(self, layer, primitive):
        self.facts = {"layerType": Word(layer), "primitiveType": Word(primitive)}
    def get_rt_info(self):
        return self.facts

class Compiled:
    def __init__(self, size):
        self.size = size
    def __call__(self, inputs):
        return {0: numpy.full([1, 1, self.size], inputs[0].sum(), numpy.float32)}
    def get_runtime_model(self):
        return self
    def get_ops(self):
        return [Node("Input", "unknown_f32"), Node("Deconvolution", "jit_gemm_f32")]

class Core:
    def read_model(self, model, weights):
        self.net, self.weights = xml.fromstring(model), weights
        return self
    def compile_model(self, model, device, config):
        assert (device, config) == ("GPU.1", {"INFERENCE_PRECISION_HINT": "f32"})
        kinds = [layer.get("type") for layer in self.net.find("layers")]
        deconv = self.net.find(f"layers/layer[@name='deconv']")
        if deconv.find("data").get("auto_pad") == "nonsense":
            raise RuntimeError("auto_pad nonsense is not one of the known values")
        shape = self.net.find("layers/layer[@name='output_shape']/data")
        begin = int(shape.get("offset"))
        size = numpy.frombuffer(self.weights[begin:begin + int(shape.get("size"))], numpy.int64)[0]
        assert kinds == ["Parameter", "Const", "Const", "ConvolutionBackpropData", "Result"], kinds
        assert deconv.find("data").attrib == {"strides": "2", "auto_pad": "SAME_UPPER"}
        assert len(self.net.find("edges")) == 4
        return Compiled(size)

def get_version():
    return "stand-in"
'''


class OpenVino(AdapterTest):
    def test_the_adapter_writes_an_ir_and_passes_the_answer_on(self):
        with open(os.path.join(self.folder.name, "openvino.py"), "w") as file:
            file.write(MODULE)
        adapter = pathlib.Path(PACKAGE).parent / "open_vino.py"
        client = Client([sys.executable, str(PACKAGE), str(adapter), "--option", "device=GPU.1"],
                        {"PYTHONPATH": self.folder.name})
        self.assertEqual(client.describe()["name"], "openvino-gpu.1")
        tensor = {"element_type": "f32", "dims": [1, 1, 3]}
        operator = {"kind": "ConvolutionBackpropData", "dialect": "openvino-runtime", "data": tensor, "filter": tensor,
                    "strides": [2], "auto_pad": "SAME_UPPER",
                    "output_shape": {"element_type": "i64", "dims": [1], "values": [6]}}
        request = {"do": "run", "output_bytes": 24, "operator": operator, "data_bytes": 12, "filter_bytes": 12}
        data = numpy.float32([1, 2, 3]).tobytes()
        answer = client.ask(request, data, data)
        self.assertEqual((answer["answer"], answer.get("dims")), ("computed", [1, 1, 6]), answer)
        self.assertEqual(numpy.frombuffer(answer["output"], "f4").tolist(), [6] * 6)
        self.assertEqual(answer["implementation"], "jit_gemm_f32")
        answer = client.ask({**request, "operator": {**operator, "auto_pad": "nonsense"}}, data, data)
        self.assertEqual((answer["answer"], answer["message"]),
                         ("refused", "auto_pad nonsense is not one of the known values"))
        self.assertEqual(client.end()[0], 0)
