# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Tests of the cache that keeps compiled operators in files: what is compiled again, and which entries are removed."""
import os
import tempfile
import threading
import unittest

import deconv_backend
from deconv_backend import disk_cache
from deconv_backend.operators import Operator, Tensor


def operator(size, **attributes):
    return Operator(kind="ConvTranspose", dialect="onnx-11", data=Tensor("f32", [1, 1, size]),
                    filter=Tensor("f32", [1, 1, 3]), **attributes)


class DiskCache(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder, self.compiled = holder.name, []

    def cache(self, version="1", **arguments):
        """A cache of a new process."""
        return deconv_backend.DiskCache("mine", version, folder=self.folder, **arguments)

    def get(self, cache, op, content="code"):
        """Gets an operator from the cache, and notes it in self.compiled if it is compiled."""
        def compile(path):
            self.compiled.append(op)
            with open(path, "w") as file:
                file.write(content)

        def load(path):
            with open(path) as file:
                return file.read()

        return cache.get(op, compile, load)

    def only_file(self):
        (entry,) = os.listdir(self.folder)
        return os.path.join(self.folder, entry, "compiled")

    def test_an_operator_is_compiled_once(self):
        cache = self.cache()
        for again in (cache, cache, self.cache()):
            self.assertEqual(self.get(again, operator(3)), "code")
        self.assertEqual(len(self.compiled), 1)

    def test_another_operator_version_or_option_is_compiled(self):
        for op in (operator(3), operator(4), operator(3, strides=[2])):
            self.get(self.cache(), op)
        self.get(self.cache("2"), operator(3))
        deconv_backend.options.give({"device": "gpu"})
        self.addCleanup(deconv_backend.options.give, {})
        self.get(self.cache(), operator(3))
        self.assertEqual(len(self.compiled), 5)

    def test_a_corrupt_file_is_compiled_again(self):
        for damage in (lambda path: os.truncate(path, 2), os.remove, lambda path: open(path, "a").write("x"),
                       lambda path: os.remove(os.path.join(os.path.dirname(path), "sha256"))):
            self.get(self.cache(), operator(3))
            self.compiled.clear()
            damage(self.only_file())
            self.assertEqual(self.get(self.cache(), operator(3)), "code")
            self.assertEqual(len(self.compiled), 1)
            self.get(self.cache(), operator(3))
            self.assertEqual(len(self.compiled), 1)

    def test_an_error_of_the_compiler_is_passed_on_and_leaves_nothing(self):
        def fail(path):
            open(path, "w").close()
            raise ValueError("refused")

        with self.assertRaisesRegex(ValueError, "refused"):
            self.cache().get(operator(3), fail, None)
        self.assertEqual(os.listdir(self.folder), [])

    def test_the_size_is_bounded_and_the_longest_unused_entry_goes_first(self):
        content = "x" * (300 << 10)  # three of them fit into 1 MiB
        for size in range(1, 4):
            self.get(self.cache(most_mib=1), operator(size), content)
            self.age()
        self.get(self.cache(most_mib=1), operator(1), content)  # used again, in a new process
        self.get(self.cache(most_mib=1), operator(4), content)
        self.assertEqual(len(os.listdir(self.folder)), 3)
        self.compiled.clear()
        self.get(self.cache(most_mib=1), operator(1), content)
        self.assertEqual(self.compiled, [])
        self.get(self.cache(most_mib=1), operator(2), content)
        self.assertEqual(len(self.compiled), 1)

    def age(self):
        """Makes the last use of all entries older by a minute, so that later ones are newer."""
        for entry in os.scandir(self.folder):
            seconds = entry.stat().st_mtime - 60
            os.utime(entry.path, (seconds, seconds))

    def test_a_compilation_that_never_ended_is_removed(self):
        part = os.path.join(self.folder, disk_cache._PART + "dead")
        os.mkdir(part)
        os.utime(part, (1, 1))
        self.get(self.cache(), operator(3))
        self.assertFalse(os.path.exists(part))

    def test_two_processes_may_compile_the_same_operator(self):
        barrier, results = threading.Barrier(2), []

        def compile(path):
            barrier.wait(10)
            with open(path, "w") as file:
                file.write("code")

        def run():
            results.append(self.cache().get(operator(3), compile, lambda path: open(path).read()))

        threads = [threading.Thread(target=run) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(results, ["code", "code"])
        self.assertEqual(len(os.listdir(self.folder)), 1)
