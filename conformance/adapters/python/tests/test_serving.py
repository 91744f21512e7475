# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Tests of serve(): answers, messages, layouts, and that nothing but answers reaches standard output."""
import unittest

import numpy

from tests.client import AdapterTest, resolved_request

# Data and filter of resolved_request().
ONES = [numpy.ones(3, numpy.float32), numpy.ones(3, numpy.float32)]
# A request for run(), without resolved geometry.
PLAIN = {"operator": {"kind": "ConvTranspose", "dialect": "onnx-11", "data": {"element_type": "f32", "dims": [1, 1, 3]},
                      "filter": {"element_type": "f32", "dims": [1, 1, 3]}}, "do": "run", "output_bytes": 20}

# A request for deconv(), for client.ask() with 12 bytes of data and 12 of the filter.
WITH_BYTES = {**resolved_request(), "data_bytes": 12, "filter_bytes": 12}


def serving(body, **keys):
    """Returns the text of an adapter whose function deconv has this body, with these further arguments of serve(). The
    body is line 4 of the file."""
    extra = "".join(f", {key}={value}" for key, value in keys.items())
    return f"""
def deconv(data, filter, geometry):
    {body}
deconv_backend.serve(deconv, name="test", version="1", types=["f32", "bf16"]{extra})
"""


class Descriptions(AdapterTest):
    def test_a_resolved_adapter_declares_every_operator(self):
        description = self.start(serving("return data")).describe()
        self.assertEqual(description["dialects"], ["openvino-spec", "onednn-spec", "onnx-11"])
        self.assertEqual(len(description["operators"]), 4)
        self.assertTrue(description["takes_resolved"])
        self.assertTrue(description["supports"])  # NumPy's own limits

    def test_declared_limits_are_sent(self):
        text = serving("return data", unsupported=["groups"], max_attribute=9, supports="lambda geometry: None")
        description = self.start(text).describe()
        self.assertEqual((description["unsupported"], description["max_attribute"]), (["groups"], 9))
        self.assertTrue(description["supports"])

    def test_declared_arithmetic_is_sent(self):
        words = {"saturating_types": ["i8"], "types_in_f32": ["f64"], "known_deviations": ["clamped-infinity"],
                 "arithmetic": [{"element_type": "f16", "accumulator": "storage"}]}
        description = self.start(serving("return data", **words)).describe()
        self.assertEqual({key: description[key] for key in words}, words)

    def test_a_missing_module_is_named_first(self):
        client = self.start("import no_such_module_anywhere")
        self.assertIsNone(client.describe())
        errors = client.end()[2]
        self.assertTrue(errors.startswith("the Python module 'no_such_module_anywhere' is missing: "), errors)
        self.assertNotIn("Traceback", errors)

    def test_an_adapter_that_hides_a_module_is_named(self):
        for text in ("import adapter.nothing", "from adapter import nothing"):
            client = self.start(text)
            self.assertIsNone(client.describe())
            errors = client.end()[2]
            self.assertTrue(errors.startswith("the Python module 'adapter"), errors)
            self.assertIn("is hidden by the adapter", errors)
            self.assertNotIn("Traceback", errors)

    def test_an_unknown_key_is_named(self):
        client = self.start(serving("return data", unsuported=["groups"]))
        self.assertIsNone(client.describe())
        self.assertIn("serve() got 'unsuported'; expected one of", client.end()[2])

    def test_a_wrong_word_is_named_with_its_argument(self):
        for keys, message in (
                ({"unsupported": ["asymetric-pads"]},
                 "unsupported has 'asymetric-pads'; did you mean 'asymmetric-pads'? expected words of dilations, groups, "),
                ({"unsupported": "'groups'"}, "unsupported='groups'; expected a list, as unsupported=['dilations']"),
                ({"accumulator": "'f16'"}, "accumulator='f16'; expected one of f32, f64, storage, f64-through-f32"),
                ({"dialects": ["onnx"]}, "dialects has 'onnx'; "),
                ({"operators": ["Deconvolution"]}, "operators has 'Deconvolution'; "),
                ({"saturating_types": ["f32"]}, "saturating_types has 'f32'; "),
                ({"types_in_f32": ["f32"]}, "types_in_f32 has 'f32'; "),
                ({"max_attribute": "2.5"}, "max_attribute=2.5; expected a whole number from 0 to 2^63-1"),
                ({"min_rank": "5", "max_rank": "4"}, "min_rank=5 is above max_rank=4")):
            with self.subTest(keys):
                client = self.start(serving("return data", **keys))
                self.assertIsNone(client.describe())
                self.assertIn(f"TypeError: serve(): {message}", client.end()[2])


class Answers(AdapterTest):
    def test_an_output_is_sent_with_its_dims(self):
        answer = self.run_once(serving("return numpy.arange(7, dtype='f4').reshape(1, 1, 7)"), resolved_request(), *ONES)
        self.assertEqual((answer["answer"], answer["dims"]), ("computed", [1, 1, 7]))
        self.assertEqual(numpy.frombuffer(answer["output"], "f4").tolist(), list(range(7)))

    def test_a_wrong_dtype_is_named(self):
        answer = self.run_once(serving("return numpy.zeros([1, 1, 7])"), resolved_request(), *ONES)
        self.assertEqual(answer["answer"], "error")
        self.assertEqual(answer["message"],
                         "deconv() returned an array of dtype float64; expected float32, the type of data")

    def test_a_wrong_shape_is_named(self):
        answer = self.run_once(serving("return numpy.zeros([1, 1, 8], 'f4')"), resolved_request(), *ONES)
        self.assertEqual((answer["answer"], answer["dims"]), ("other-shape", [1, 1, 8]))
        self.assertEqual(answer["message"], "deconv() returned an array of shape [1, 1, 8]; expected [1, 1, 7]")

    def test_a_wrong_rank_is_named(self):
        answer = self.run_once(serving("return numpy.zeros([7], 'f4')"), resolved_request(), *ONES)
        self.assertEqual((answer["answer"], answer["message"]),
                         ("error", "deconv() returned an array of shape [7]; expected [1, 1, 7]"))

    def test_a_wrong_shape_of_as_many_bytes_is_computed(self):
        answer = self.run_once(serving("return numpy.zeros([1, 7, 1], 'f4')"), resolved_request(), *ONES)
        self.assertEqual((answer["answer"], answer["dims"]), ("computed", [1, 7, 1]))

    def test_the_implementation_is_sent(self):
        body = "return numpy.zeros([1, 1, 7], 'f4'), 'winograd\\n' + 'x' * 99"
        answer = self.run_once(serving(body), resolved_request(), *ONES)
        self.assertEqual((answer["answer"], answer["implementation"]), ("computed", "winograd " + "x" * 54))

    def test_a_tuple_without_a_name_is_no_output(self):
        answer = self.run_once(serving("return numpy.zeros([1, 1, 7], 'f4'), 7"), resolved_request(), *ONES)
        self.assertEqual(answer["message"], "deconv() returned tuple; expected a NumPy array")

    def test_no_array_is_named(self):
        answer = self.run_once(serving("return None"), resolved_request(), *ONES)
        self.assertEqual(answer["message"], "deconv() returned NoneType; expected a NumPy array")

    def test_exceptions_become_answers(self):
        for body, keys, word, message in (
                ("raise KeyError('x')", {}, "error", "KeyError: 'x' (adapter.py:4)"),
                ("raise ValueError('the library says\\nno')", {}, "error",
                 "the library says no (adapter.py:4)"),
                # The innermost place in the author's code is below deconv(), and above NumPy.
                ("return numpy.concatenate([])", {}, "error", "need at least one array to concatenate (adapter.py:4)"),
                ("raise ValueError('the library says no')", {"refuses": "[ValueError]"}, "refused",
                 "the library says no"),
                ("raise deconv_backend.Refused('bad stride')", {}, "refused", "bad stride"),
                ("raise deconv_backend.Unsupported('too large')", {}, "unsupported", "too large")):
            with self.subTest(body):
                answer = self.run_once(serving(body, **keys), resolved_request(), *ONES)
                self.assertEqual((answer["answer"], answer["message"]), (word, message))

    def test_the_process_serves_on_after_an_exception(self):
        client = self.start(serving("raise ValueError('this one fails')"))
        self.assertIsNotNone(client.describe())
        for _ in range(3):
            self.assertEqual(client.ask(WITH_BYTES, bytes(12), bytes(12))["answer"], "error")
        self.assertEqual(client.end()[:2], (0, b""))

    def test_the_traceback_goes_to_standard_error(self):
        client = self.start(serving("return data['x']"))
        client.describe()
        self.assertTrue(client.ask(WITH_BYTES, bytes(12), bytes(12))["message"].endswith(" (adapter.py:4)"))
        errors = client.end()[2]
        for words in ("Traceback (most recent call last)", "adapter.py\", line 4, in deconv", "return data['x']"):
            self.assertIn(words, errors)

    def test_a_long_message_keeps_its_place(self):
        answer = self.run_once(serving("raise ValueError('a long tale ' * 99)"), resolved_request(), *ONES)
        self.assertTrue(answer["message"].endswith(" (adapter.py:4)"))
        self.assertLessEqual(len(answer["message"]), 511)

    def test_attributes_reach_run(self):
        text = """
            def run(operator, data, filter):
                assert operator.strides == [2**62] and operator.dilations is None and operator.pads_begin == []
                raise deconv_backend.Refused(f"stride {operator.strides[0]} of {operator.auto_pad} {data.shape}")
            deconv_backend.serve(run=run, name="test", version="1", types=["f32"], dialects=["onnx-11"])
            """
        operator = {**PLAIN["operator"], "strides": [str(2**62)], "pads_begin": [], "auto_pad": "VALID"}
        answer = self.run_once(text, {**PLAIN, "operator": operator}, *ONES)
        self.assertEqual(answer["message"], f"stride {2**62} of VALID (1, 1, 3)")

    def test_an_invalid_operator_that_is_computed_is_told_by_its_dims(self):
        text = """
            deconv_backend.serve(run=lambda operator, data, filter: numpy.zeros([1, 1, 5]), name="test", version="1",
                                 types=["f32"], dialects=["onnx-11"])
            """
        self.assertEqual(self.run_once(text, {**PLAIN, "output_bytes": 0}, *ONES),
                         {"answer": "other-shape", "dims": [1, 1, 5]})

    def test_tensors_that_were_not_sent_are_none(self):
        text = """
            def run(operator, data, filter):
                raise deconv_backend.Refused(f"data {data}, filter {filter.shape}")
            deconv_backend.serve(run=run, name="test", version="1", types=["f32"], dialects=["onnx-11"])
            """
        operator = {**PLAIN["operator"], "data": {"element_type": "f32", "dims": [1, 1, 2**40]},
                    "filter": {"element_type": "f32", "dims": [1, 0, 3]}}
        answer = self.run_once(text, {**PLAIN, "operator": operator, "output_bytes": 0})
        self.assertEqual(answer["message"], "data None, filter (1, 0, 3)")


class Supports(AdapterTest):
    TEXT = serving("return data", supports="lambda geometry: 'one group only' if geometry.groups > 1 else None")

    def test_the_reason_of_the_adapter_is_a_no_and_none_is_a_yes(self):
        client = self.start(self.TEXT)
        client.describe()
        self.assertEqual(client.ask(resolved_request(do="supports")), {"supported": True})
        self.assertEqual(client.ask(resolved_request(do="supports", groups=2, inputs=2, outputs=2)),
                         {"supported": False, "message": "one group only"})

    def test_arrays_that_numpy_does_not_have_are_a_no(self):
        client = self.start(serving("return data"))
        client.describe()
        huge = resolved_request(do="supports", data=(2**40, 2**40), kernel=(1, 1), output=(1, 1), batch=0)
        self.assertEqual(client.ask(huge), {"supported": False, "message": "NumPy has no array of these dimensions"})
        self.assertEqual(client.ask(resolved_request(do="supports", batch=0)), {"supported": True})

    def test_an_exception_unsupported_is_a_no(self):
        client = self.start("def no(geometry): raise deconv_backend.Unsupported('not today')" +
                            serving("return data", supports="no"))
        client.describe()
        self.assertEqual(client.ask(resolved_request(do="supports")), {"supported": False, "message": "not today"})

    def test_another_value_ends_the_process_with_a_message(self):
        client = self.start(serving("return data", supports="lambda geometry: False"))
        client.describe()
        self.assertIsNone(client.ask(resolved_request(do="supports")))
        self.assertIn("supports() returned False; expected None (supported) or the reason as a text", client.end()[2])


class Layouts(AdapterTest):
    def test_channels_last_and_xio_become_plain(self):
        request = resolved_request(data=(1, 2), kernel=(1, 2), strides=(1, 1), output=(1, 1), inputs=3, outputs=2,
                                   channels_last=True, layout="xio")
        data = numpy.arange(6, dtype="f4").reshape(1, 1, 2, 3)            # [N, x, x, C]
        weights = numpy.arange(12, dtype="f4").reshape(1, 2, 2, 3)        # [x, x, O, I]
        # Two outputs: the sums over channels of data * filter at the second tap, to see each axis at its place.
        body = ("sums = numpy.einsum('ncxy,co->nxyo', data[:, :, :, :1], filter[0, :, :, 0, 1]); "
                "return numpy.moveaxis(sums, -1, 1).astype('f4')")
        answer = self.run_once(serving(body), request, data, weights)
        self.assertEqual((answer["answer"], answer["dims"]), ("computed", [1, 1, 1, 2]))
        expected = [sum(data[0, 0, 0, c] * weights[0, 1, o, c] for c in range(3)) for o in range(2)]
        self.assertEqual(numpy.frombuffer(answer["output"], "f4").tolist(), expected)

    def test_native_layouts_are_left_alone(self):
        request = resolved_request(data=(1, 2), kernel=(1, 2), strides=(1, 1), output=(1, 3), inputs=3, outputs=2,
                                   channels_last=True, layout="xio")
        body = "assert data.shape == (1, 1, 2, 3) and filter.shape == (1, 2, 2, 3); return numpy.ones([1, 1, 3, 2], 'f4')"
        answer = self.run_once(serving(body, native_layouts=True), request, numpy.zeros(6, "f4"), numpy.zeros(12, "f4"))
        self.assertEqual((answer["answer"], answer["dims"]), ("computed", [1, 1, 3, 2]))

    def test_bf16_is_carried_as_uint16(self):
        request = resolved_request(element_type="bf16")
        body = ("values = deconv_backend.bf16_to_f32(data); assert values.sum() == 6; "
                "return deconv_backend.f32_to_bf16(numpy.full([1, 1, 7], values[0, 0, 2]))")
        answer = self.run_once(serving(body), request, numpy.array([0x3F80, 0x4000, 0x4040], "u2"), numpy.zeros(3, "u2"))
        self.assertEqual(numpy.frombuffer(answer.get("output", b""), "u2").tolist(), [0x4040] * 7, answer)


class StandardOutput(AdapterTest):
    def test_prints_of_a_library_do_not_reach_it(self):
        text = """
            import os
            print("a banner")
            os.write(1, b"from C\\n")
            def deconv(data, filter, geometry):
                print("progress")
                os.system("echo from a program; cat")
                return numpy.zeros([1, 1, 7], "f4")
            deconv_backend.serve(deconv, name="test", version="1", types=["f32"])
            """
        client = self.start(text)
        self.assertEqual(client.describe()["name"], "test")
        self.assertEqual(client.ask(WITH_BYTES, bytes(12), bytes(12))["answer"], "computed")
        status, left, errors = client.end()
        self.assertEqual((status, left), (0, b""))
        for words in ("a banner", "from C", "progress", "from a program"):
            self.assertIn(words, errors)


if __name__ == "__main__":
    unittest.main()
