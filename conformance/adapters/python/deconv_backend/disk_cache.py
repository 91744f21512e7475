# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Keeps compiled operators in files, for libraries that compile each operator before they run it.

The suite runs an operator with several sets of values, in several processes and in many runs. A key is the operator
without values, the library's version and the adapter with its options, so a changed library or adapter compiles anew.
"""
import collections
import hashlib
import os
import shutil
import sys
import tempfile
import time

from deconv_backend import options

MOST_LOADED = 16  # operators that a process keeps in memory; few, because equal operators come one after the other
HOURS_OF_PART = 1  # the folder of a compilation that never ended is removed after this time
# The cache's folder has a folder (entry) for each operator, named by its key. An entry has the compiled file and a file
# with its digest.
_DIGEST = "sha256"
_PART = ".part-"  # in the names of folders that are no entries yet, or no more


def default_folder():
    """Returns the folder of compiled operators, which all adapters of a user share."""
    return os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "deconv-cts", "compiled")


def digest_of(path):
    """Returns the SHA-256 of a file's bytes."""
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        for block in iter(lambda: file.read(1 << 20), b""):
            digest.update(block)
    return digest.hexdigest()


class DiskCache:
    """The compiled operators of one adapter and one version of its library.

    `name` is the name of the adapter. `most_mib` limits the size of the folder, which all adapters share, in MiB; the
    entries that were not used for the longest time are removed first. `suffix` is the end of the compiled file's name,
    for libraries that require one.
    """

    def __init__(self, name, version, most_mib=1024, suffix="", folder=None):
        self.folder = folder or default_folder()
        self.most_bytes, self.file_name = most_mib << 20, "compiled" + suffix
        adapter = digest_of(sys.argv[0]) if os.path.isfile(sys.argv[0]) else ""
        self.prefix = repr((name, version, suffix, adapter, options.given()))
        self.loaded = collections.OrderedDict()
        self.unchecked_bytes = self.most_bytes  # bytes written since the last look at the folder's size

    def get(self, operator, compile, load):
        """Returns load(path) of the operator's compiled file.

        `operator` is what the adapter's function gets: a Geometry or an Operator. If there is no whole file,
        compile(path) writes it. An exception of `compile` is passed on, and nothing is kept.
        """
        key = hashlib.sha256((self.prefix + repr(operator)).encode()).hexdigest()
        if key in self.loaded:
            self.loaded.move_to_end(key)
            return self.loaded[key]
        entry = os.path.join(self.folder, key)
        if not self._is_whole(entry):
            self._remove(entry)
            self._build(entry, compile)
        self.loaded[key] = load(os.path.join(entry, self.file_name))
        if len(self.loaded) > MOST_LOADED:
            self.loaded.popitem(last=False)
        return self.loaded[key]

    def _is_whole(self, entry):
        """Whether the compiled file has the digest that was written with it. Marks the entry as used now."""
        try:
            with open(os.path.join(entry, _DIGEST)) as file:
                whole = file.read() == digest_of(os.path.join(entry, self.file_name))
            os.utime(entry)
        except OSError:
            return False
        return whole

    def _build(self, entry, compile):
        """Compiles into a folder of its own, which then gets the entry's name: no process sees a part of an entry."""
        os.makedirs(self.folder, mode=0o700, exist_ok=True)
        part = tempfile.mkdtemp(prefix=_PART, dir=self.folder)
        try:
            path = os.path.join(part, self.file_name)
            compile(path)
            with open(os.path.join(part, _DIGEST), "w") as file:
                file.write(digest_of(path))
            self.unchecked_bytes += os.path.getsize(path)
            try:
                os.rename(part, entry)
            except OSError:
                if not self._is_whole(entry):  # if it is whole, another process was faster
                    raise
        finally:
            shutil.rmtree(part, ignore_errors=True)
        if self.unchecked_bytes > self.most_bytes // 8:  # a guess: the folder is read through only now and then
            self._trim(entry)
            self.unchecked_bytes = 0

    def _remove(self, entry):
        """Renames the entry before removing its files, so that no process sees a part of it."""
        part = entry + _PART + str(os.getpid())
        try:
            os.rename(entry, part)
        except OSError:
            return
        shutil.rmtree(part, ignore_errors=True)

    def _trim(self, kept):
        """Removes the entries that were not used for the longest time, but not `kept`, until the rest fits."""
        entries, total = [], 0
        for folder in os.scandir(self.folder):
            try:
                last_use = folder.stat().st_mtime
                size = sum(file.stat().st_size for file in os.scandir(folder.path))
            except OSError:  # another process removed it
                continue
            if _PART not in folder.name:
                entries.append((last_use, size, folder.path))
                total += size
            elif last_use < time.time() - 3600 * HOURS_OF_PART:
                shutil.rmtree(folder.path, ignore_errors=True)
        for _, size, path in sorted(entries):
            if total <= self.most_bytes:
                return
            if path != kept:
                self._remove(path)
                total -= size
