# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Tests the pytest plugin on a right adapter, on a wrong adapter, and with known failures. It needs pytest, and the
path of deconv-cts in the variable DECONV_CTS."""
import importlib.util
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

PACKAGES = pathlib.Path(__file__).resolve().parent.parent

ADAPTERS = """
import runpy
import sys
sys.path.insert(0, {packages!r})
plain = runpy.run_path({packages!r} + "/plain_numpy.py")

LIMITS = dict(types=["f32"], supports=plain["supports"], max_rank=10, max_bytes=1 << 24)
right = dict(deconv=plain["deconv"], **LIMITS)

def flipped(data, filter, geometry):
    return plain["deconv"](data, filter[..., ::-1], geometry)

wrong = dict(deconv=flipped, **LIMITS)
number = 3
"""


@unittest.skipUnless(os.environ.get("DECONV_CTS") and importlib.util.find_spec("pytest"), "needs DECONV_CTS and pytest")
class Plugin(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        (self.folder / "my_module.py").write_text(ADAPTERS.format(packages=str(PACKAGES)), encoding="utf-8")

    def pytest(self, code, *words):
        """Runs pytest with the plugin, and checks its exit code. Returns what it prints."""
        environment = {**os.environ, "PYTHONPATH": str(PACKAGES), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-p", "deconv_pytest.plugin", "-p", "no:cacheprovider", "-q",
             "--deconv-suite", "regressions", "--deconv-arguments=--diagnosis-seconds 0 --timeout 120", *words],
            cwd=self.folder, env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=500)
        self.assertEqual(done.returncode, code, done.stdout[-3000:] + done.stderr[-3000:])
        return done.stdout + done.stderr

    def counts(self, output):
        """Returns the numbers of the last line: {"passed": 3, "failed": 1}."""
        return {word: int(number) for number, word in re.findall(r"(\d+) (passed|failed|skipped|xfailed)", output.splitlines()[-1])}

    def test_a_right_adapter_passes_every_case(self):
        counts = self.counts(self.pytest(0, "--deconv-backend", "my_module:right"))
        self.assertGreater(counts["passed"], 50)
        self.assertNotIn("failed", counts)

    def test_a_wrong_adapter_fails_with_the_diagnosis_of_the_suite_and_is_listed(self):
        output = self.pytest(1, "--deconv-backend", "my_module:wrong", "-k", "auto-pad-ignored")
        self.assertGreater(self.counts(output)["failed"], 0)
        for words in ("wrong-value: output [", "outputs wrong", "clauses ", "replay: deconv-cts replay --backend"):
            self.assertIn(words, output)
        # The same failures listed are xfail; right answers to an entry of the file are failures.
        known = '[[expect]]\npattern = "{}"\nfailure = "wrong-value"\nreason = "reads the last axis backwards"\nsometimes = {}\n'
        (self.folder / "known.toml").write_text(known.format("*", "true"), encoding="utf-8")
        listed = ("--deconv-expect", "known.toml", "-k", "auto-pad-ignored or known-failures")
        counts = self.counts(self.pytest(0, "--deconv-backend", "my_module:wrong", *listed))
        self.assertGreater(counts["xfailed"], 0)
        (self.folder / "known.toml").write_text(known.format("regressions/auto-pad-ignored*", "false"), encoding="utf-8")
        output = self.pytest(1, "--deconv-backend", "my_module:right", *listed)
        self.assertIn("[XPASS(strict)]", output)
        self.assertIn("do not fail as expected", output)

    def test_what_cannot_be_run_says_why(self):
        for adapter, words in (("my_module:missing", "has no missing"), ("my_module:number", "expected a function or a dict"),
                               ("no_such_module:right", "no_such_module")):
            self.assertIn(words, self.pytest(1, "--deconv-backend", adapter, "-k", "auto-pad-ignored.same-upper-beside-pads"))
        self.assertIn("known.toml is no file", self.pytest(4, "--deconv-backend", "kernel", "--deconv-expect", "known.toml"))

    def test_other_projects_are_left_alone(self):
        (self.folder / "test_other.py").write_text("def test_other():\n    pass\n", encoding="utf-8")
        self.assertEqual(self.counts(self.pytest(0)), {"passed": 1})


if __name__ == "__main__":
    unittest.main()
