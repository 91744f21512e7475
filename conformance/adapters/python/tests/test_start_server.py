# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Tests of the start server, which loads a library once and forks a process for each client: the library is loaded
once, a client ends as its forked process, and no process is left behind."""
import os
import signal
import subprocess
import sys
import time
import unittest

from tests.client import AdapterTest, resolved_request

ADAPTER = """
    import os, signal, sys, time
    with open({log!r}, "a") as log:
        log.write(f"loaded by {{os.getpid()}}\\n")
    {loading}
    def deconv(data, filter, geometry): return data
    def supports(geometry):
        what = geometry.filter_layout
        if what == "crash": os.kill(os.getpid(), signal.SIGSEGV)
        if what == "exit": os._exit(7)
        if what == "hang": time.sleep(60)
        if what == "allocate": numpy.empty(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2, "u1")
        print("said by the adapter", file=sys.stderr)
        return f"{{os.getpid()}} {{os.getpgrp()}}"
    deconv_backend.serve(deconv, supports=supports, name="test", version="1", types=["f32"])
    """


def alive(process):
    """Whether a process runs. One that has ended and waits for its parent (Z) does not."""
    try:
        with open(f"/proc/{process}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait_until(condition):
    """Waits for up to 5 seconds. Returns whether the condition holds."""
    for _ in range(500):
        if condition():
            return True
        time.sleep(0.01)
    return False


@unittest.skipUnless(sys.platform == "linux", "start servers need Linux")
class StartServer(AdapterTest):
    def setUp(self):
        super().setUp()
        self.log = os.path.join(self.folder.name, "log")
        # The suite's run, for the server.
        self.suite = subprocess.Popen(["sleep", "300"])
        self.addCleanup(self.suite.wait)
        self.addCleanup(self.suite.kill)

    def start_one(self, loading="pass"):
        """Starts a client, whose server ends with self.suite. The adapter runs `loading` before serve()."""
        return self.start(ADAPTER.format(log=self.log, loading=loading),
                          environment={"DECONV_BACKEND_RUN": str(self.suite.pid)})

    def loads(self):
        """Returns a line for each time that the adapter was loaded."""
        with open(self.log) as file:
            return file.read().splitlines()

    def server(self):
        return int(self.loads()[0].split()[-1])

    def ask(self, client, what="pid"):
        """Asks for support, with the filter layout as a message: the adapter crashes, exits, ... or answers. Returns
        the ids of its process and group, or None if it died."""
        request = resolved_request(do="supports")
        request["resolved"]["filter_layout"] = what
        answer = client.ask(request)
        return answer and [int(number) for number in answer["message"].split()]

    def path(self):
        return os.path.join(self.folder.name, "adapter.py")

    def write(self, text):  # the same file for all processes of a test: a changed one has another server
        return self.path() if os.path.exists(self.path()) else super().write(text)

    def test_many_processes_load_once(self):
        clients = [self.start_one() for _ in range(4)]
        for client in clients:
            self.assertEqual(client.describe()["name"], "test")
        processes = {self.ask(client)[0] for client in clients}
        self.assertEqual(len(processes), 4)
        self.assertEqual(len(self.loads()), 1)
        for client in clients:
            status, left, errors = client.end()
            self.assertEqual((status, left), (0, b""))
            self.assertIn("said by the adapter", errors)
        self.assertTrue(wait_until(lambda: not any(map(alive, processes))))

    def test_the_end_is_passed_on(self):
        for what, status in (("crash", -signal.SIGSEGV), ("exit", 7)):
            client = self.start_one()
            client.describe()
            self.assertIsNone(self.ask(client, what))
            self.assertEqual(client.end()[0], status)
        self.assertEqual(len(self.loads()), 1)

    def test_a_killed_client_takes_its_process_along(self):
        client = self.start_one()
        client.describe()
        process, group = self.ask(client)
        self.assertEqual(group, client.process.pid)  # its own group in this test, the suite's keeper otherwise
        client.process.kill()
        self.assertTrue(wait_until(lambda: not alive(process)))
        self.assertTrue(alive(self.server()))

    def test_a_killed_group_does_not_take_the_server_along(self):
        client = self.start_one()
        client.describe()
        process, group = self.ask(client)
        os.killpg(group, signal.SIGKILL)
        self.assertTrue(wait_until(lambda: not alive(process)))
        self.assertEqual(self.start_one().describe()["name"], "test")
        self.assertEqual(len(self.loads()), 1)

    def test_the_suites_end_ends_everything(self):
        client = self.start_one()
        client.describe()
        process, _ = self.ask(client)
        server = self.server()
        self.suite.kill()
        self.suite.wait()
        self.assertTrue(wait_until(lambda: not alive(process) and not alive(server)))

    def test_a_killed_server_is_replaced(self):
        client = self.start_one()
        client.describe()
        process, _ = self.ask(client)
        os.kill(self.server(), signal.SIGKILL)
        status, _, errors = client.end()
        self.assertEqual(status, 1)
        self.assertIn("the start server of this backend was killed", errors)
        self.assertTrue(wait_until(lambda: not alive(process)))
        self.assertEqual(self.start_one().describe()["name"], "test")
        self.assertEqual(len(self.loads()), 2)

    def test_a_failing_import_fails_as_without_a_server(self):
        for loading, status, message in (("raise ImportError('no such library')", 1, "no such library"),
                                         ("os.kill(os.getpid(), signal.SIGABRT)", -signal.SIGABRT, "")):
            if os.path.exists(self.path()):
                os.remove(self.path())
            client = self.start_one(loading)
            self.assertIsNone(client.describe())
            found, _, errors = client.end()
            self.assertEqual(found, status)
            self.assertIn(message, errors)

    def test_memory_has_a_limit(self):
        client = self.start_one()
        client.describe()
        self.assertIsNone(self.ask(client, "allocate"))
        status, _, errors = client.end()
        self.assertEqual(status, 1)
        self.assertIn("supports() failed", errors)


if __name__ == "__main__":
    unittest.main()
