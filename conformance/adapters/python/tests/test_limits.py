# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Asks the adapters of LiteRT and OpenCV which operators they support. Stand-ins take the places of the libraries."""
import os
import pathlib
import sys

from tests.client import PACKAGE, AdapterTest, Client, resolved_request

STAND_INS = {
    "flatbuffers.py": "",
    "ai_edge_litert/__init__.py": "",
    "ai_edge_litert/interpreter.py":
        "class OpResolverType: AUTO = BUILTIN_WITHOUT_DEFAULT_DELEGATES = BUILTIN_REF = 0\n",
    "ai_edge_litert/schema_py_generated.py": "",
    "ai_edge_litert-1.dist-info/METADATA": "Metadata-Version: 2.1\nName: ai-edge-litert\nVersion: 1\n",
    "cv2.py": "__version__ = '1'\nclass error(Exception): pass\ndef setNumThreads(number): pass\n",
}


class Limits(AdapterTest):
    def supports(self, adapter, request):
        """Returns the adapter's reason against a request, or None."""
        for name, text in STAND_INS.items():
            path = pathlib.Path(self.folder.name, name)
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        client = Client([sys.executable, str(PACKAGE), os.path.join(PACKAGE.parent, adapter)],
                        {"PYTHONPATH": self.folder.name})
        client.describe()
        answer = client.ask({**request, "do": "supports"})
        status, _, errors = client.end()
        self.assertEqual(status, 0, errors)
        return answer.get("message")

    def test_litert_holds_a_stride_of_two_axes_in_16_bits(self):
        for stride, reason in ((2**15 - 1, None), (2**15, "TRANSPOSE_CONV holds a stride in 16 bits")):
            request = resolved_request(data=(1, 1), kernel=(1, 1), strides=[1, stride], output=(1, 1))
            self.assertEqual(self.supports("litert.py", request), reason, stride)

    def test_opencv_takes_asymmetric_pads_from_auto_pad_alone(self):
        tensor = {"element_type": "f32", "dims": [1, 1, 3, 3]}
        operator = {"kind": "ConvTranspose", "dialect": "onnx-11", "data": tensor, "filter": tensor}
        for more, reason in (({"auto_pad": "SAME_LOWER"}, None), ({"pads_begin": [1, 1], "pads_end": [1, 1]}, None),
                             ({"pads_begin": [1, 1], "pads_end": [1, 0]}, "OpenCV refuses asymmetric pads"),
                             ({"pads_begin": [0, 1]}, "OpenCV refuses asymmetric pads")):
            self.assertEqual(self.supports("opencv_dnn.py", {"operator": {**operator, **more}}), reason, more)
