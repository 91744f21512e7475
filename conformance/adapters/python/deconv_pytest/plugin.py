# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""The pytest plugin: each case of deconv-cts is a test. The page is ../pytest.md.

    pytest --deconv-backend my_module:adapter --deconv-level smoke

`deconv-cts list` names the cases when pytest collects. The first test that runs starts `deconv-cts run` once, on the
cases that pytest selected, and every test takes its verdict from the JSON report of that run.
"""
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

import pytest

# Verdicts by which a test does not fail. imprecise: every output is right, but an error is larger than rounding errors
# usually are. vacuous: every output is right, but the case could not have failed.
RIGHT = ("pass", "imprecise", "vacuous")
# Exit codes of `run` after which there is a report: conforms, failures, stale expectations, nothing was judged.
JUDGED = (0, 1, 4, 5)
# If pytest selected at least 1 / ALL_FROM of the cases, the run takes all, which is as fast as selecting them.
ALL_FROM = 2


def pytest_addoption(parser):
    group = parser.getgroup("deconv-cts", "conformance of transposed convolution")
    group.addoption("--deconv-backend", metavar="BACKEND",
                    help="make each case of deconv-cts a test of MODULE:NAME (a function or a dict of arguments of "
                         "deconv_backend.serve), or of what `deconv-cts run --backend` takes: ./lib.so, cmd:COMMAND, ...")
    group.addoption("--deconv-level", choices=("smoke", "gate", "full"), default="smoke", help="how many cases (default: smoke)")
    group.addoption("--deconv-suite", action="append", default=[], metavar="SUITE", help="only this suite; may be repeated")
    group.addoption("--deconv-expect", metavar="FILE", help="TOML file of known failures: these tests are xfail(strict)")
    group.addoption("--deconv-arguments", default="", metavar="WORDS", help="more arguments of `deconv-cts run`")


def program():
    """Returns the path of deconv-cts: the variable DECONV_CTS, the program of this environment, or the one in PATH."""
    beside = pathlib.Path(sys.executable).with_name("deconv-cts")
    found = os.environ.get("DECONV_CTS") or (str(beside) if beside.exists() else shutil.which("deconv-cts"))
    if not found:
        raise pytest.UsageError("no program deconv-cts; install the wheel deconv-cts, or set DECONV_CTS to its path")
    return found


def is_module(backend):
    """Whether the backend is MODULE:NAME, an object of Python, and not an argument of `deconv-cts run`."""
    return re.fullmatch(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*", backend) and not re.match(r"(cmd|fault):", backend)


def backend_of(config):
    """Returns the argument for --backend of deconv-cts."""
    given = config.getoption("--deconv-backend")
    if not is_module(given):
        return given
    words = [sys.executable, "-m", "deconv_backend", str(pathlib.Path(__file__).with_name("serve.py")), "--option", f"adapter={given}"]
    return "cmd:exec " + shlex.join(words)


def environment_of(config):
    """Returns the environment of the run. In it the adapter finds its module in pytest's folders, and the packages that
    serve it in this plugin's folder."""
    paths = [str(config.rootpath), str(config.invocation_params.dir), *(path for path in sys.path if path)]
    packages = str(pathlib.Path(__file__).resolve().parent.parent)
    pythonpath = os.pathsep.join(filter(None, [packages, os.environ.get("PYTHONPATH", "")]))
    return {**os.environ, "DECONV_PYTEST_PATH": os.pathsep.join(dict.fromkeys(paths)), "PYTHONPATH": pythonpath}


class Run:
    """The run of the suite, which starts when the first test asks for its verdict."""

    def __init__(self, config):
        self.config, self.collected, self.selected = config, 0, []
        self.records, self.stale, self.output, self.complaint = None, [], "", ""

    def list_cases(self):
        """Returns the pairs of a case's id and its case line, which describes the operator."""
        command = [program(), "list", "--level", self.config.getoption("--deconv-level"), *self.suites()]
        done = subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
        if done.returncode != 0:
            raise pytest.UsageError(f"{shlex.join(command)} failed: {done.stderr.strip()}")
        return [line.split(" ", 1) for line in done.stdout.splitlines()]

    def suites(self):
        return [word for suite in self.config.getoption("--deconv-suite") for word in ("--suite", suite)]

    def verdict(self, case_id):
        """Returns the record of a case in the report, or None. The first call starts the run."""
        if self.records is None:
            self.run()
        if self.complaint:
            pytest.fail(self.complaint, pytrace=False)
        return self.records.get(case_id)

    def run(self):
        """Runs the suite, and reads its report and its complaints."""
        self.records, self.places = {}, {}
        given = self.config.getoption
        with tempfile.TemporaryDirectory() as folder:
            report = pathlib.Path(folder) / "report.jsonl"
            command = [program(), "run", "--backend", backend_of(self.config), "--level", given("--deconv-level"),
                       "--shard", "0/1", *self.suites(), "--json", str(report), "--journal", str(report) + ".journal"]
            if ALL_FROM * len(self.selected) < self.collected:
                command += [word for case_id in self.selected for word in ("--filter", case_id)]
            if given("--deconv-expect"):
                command += ["--expect", given("--deconv-expect")]
            command += shlex.split(given("--deconv-arguments"))
            done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False,
                                  stdin=subprocess.DEVNULL, env=environment_of(self.config))
            self.output = done.stdout
            if done.returncode not in JUDGED:
                tail = "\n".join((done.stdout + done.stderr).splitlines()[-20:])
                self.complaint = f"deconv-cts run failed with exit code {done.returncode}:\n{tail}"
                return
            # A complaint about the file of known failures begins with its path and the line of the entry.
            begin = f"{given('--deconv-expect')}: line "
            self.stale = [line for line in done.stdout.splitlines() if line.startswith(begin)]
            for line in report.read_text(encoding="utf-8").splitlines():
                self.take(json.loads(line))

    def take(self, record):
        """Takes a line of the report: the verdict of a case, or the causes of failures, whose places are cases."""
        if record["record"] == "case":
            self.records[record["id"]] = record
            self.places[record["place"]] = record
        elif record["record"] == "causes":
            for cause in record["clusters"]:
                for place in cause["failures"]:
                    self.places.get(place, {}).setdefault("cause", cause["title"])

    def known_failures(self):
        """Returns the complaints about entries of the file of known failures: their cases pass, or they have
        expired."""
        if self.records is None:
            self.run()
        return self.stale


class SuiteItem(pytest.Item):
    """A test that takes its verdict from the run of the suite."""

    def __init__(self, *, run, **others):
        super().__init__(**others)
        self.run_of_suite = run

    def repr_failure(self, excinfo, style=None):
        if isinstance(excinfo.value, CaseFailure):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self):
        return self.path, None, f"deconv-cts {self.name}"


class CaseItem(SuiteItem):
    """The test of one case: it fails, passes, is skipped or is an expected failure, as the suite judged the case."""

    def __init__(self, *, case_id, line, **others):
        super().__init__(**others)
        self.case_id = case_id
        self.user_properties.append(("case", line))

    def runtest(self):
        record = self.run_of_suite.verdict(self.case_id)
        if record is None:
            pytest.skip("the run left this case out")
        if record["status"] == "fail":
            if "expected" in record:
                pytest.xfail(record["expected"])
            raise CaseFailure(diagnosis(record, backend_of(self.config)))
        passes = [line for line in self.run_of_suite.stale if line.endswith(f"the first is {self.case_id}")]
        if passes:
            raise CaseFailure("\n".join(["[XPASS(strict)]", *passes]))
        if record["status"] not in RIGHT:
            pytest.skip(f"{record['status']}: {record['message']}")


class KnownFailuresItem(SuiteItem):
    """Fails if an entry of the file of known failures is stale, as xfail(strict) does."""

    def runtest(self):
        stale = self.run_of_suite.known_failures()
        if stale:
            raise CaseFailure("\n".join(["[XPASS(strict)] remove these entries, or mend them:", *stale]))


class CaseFailure(Exception):
    """Raised by the test of a wrong case. The text comes from the suite."""


def diagnosis(record, backend):
    """Returns the text of a failure: class, message, cause, clauses, and the commands that replay and explain it."""
    lines = [f"{record.get('failure', 'failure')}: {record['message']}"]
    lines += [f"cause: {record['cause']}"] if record.get("cause") else []
    lines += [f"about: {record['reason']}"] if record.get("reason") else []
    lines.append(f"clauses {', '.join(record['clauses'])}")
    lines += [f"standard error: {record['stderr']}"] if record.get("stderr") else []
    lines += [f"replay: deconv-cts replay --backend {shlex.quote(backend)} {record['case']}", f"explain: deconv-cts explain {record['case']}"]
    return "\n".join(lines)


class Cases(pytest.Collector):
    """All cases of the level."""

    def __init__(self, *, run, **others):
        super().__init__(**others)
        self.run_of_suite = run

    def collect(self):
        cases = self.run_of_suite.list_cases()
        self.run_of_suite.collected = len(cases)
        for case_id, line in cases:
            yield CaseItem.from_parent(self, name=case_id, run=self.run_of_suite, case_id=case_id, line=line)
        if self.config.getoption("--deconv-expect"):
            yield KnownFailuresItem.from_parent(self, name="known-failures", run=self.run_of_suite)


def pytest_collection(session):
    """Checks the options before anything is collected."""
    config = session.config
    if config.getoption("--deconv-backend") is None:
        return
    expect = config.getoption("--deconv-expect")
    if expect and not os.path.isfile(expect):
        raise pytest.UsageError(f"--deconv-expect: {expect} is no file")
    if hasattr(config, "workerinput"):
        raise pytest.UsageError("--deconv-backend: the suite has workers of its own; leave out -n of pytest-xdist")
    program()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(session, config, items):
    if config.getoption("--deconv-backend") is None:
        return
    run = Run(config)
    node = Cases.from_parent(session, name="deconv-cts", nodeid="deconv-cts", run=run)
    items.extend(node.collect())
    session.deconv_run = run


def pytest_collection_finish(session):
    run = getattr(session, "deconv_run", None)
    if run is not None:
        run.selected = [item.case_id for item in session.items if isinstance(item, CaseItem)]


def pytest_terminal_summary(terminalreporter, config):
    run = getattr(terminalreporter._session, "deconv_run", None)
    if run is None or not run.output:
        return
    terminalreporter.section("deconv-cts")
    for line in run.output.splitlines()[-12:]:
        terminalreporter.write_line(line)
