# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""The surroundings of the programs that ci/soak runs: their processes, files, disk and clock, and a mount namespace in
which a small disk can be mounted."""
import contextlib
import ctypes
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

from debian_tree import Problem

DISK_BYTES = 32 << 20    # a campaign writes more than a thousand files
SHARED_BYTES = 64 << 20  # of /dev/shm
LEFT_BYTES = 24 << 10    # free space on the disk when it is nearly full
# libfaketime locks this semaphore for a moment when a program reads the clock. The program shares it with its child
# processes. A child that is killed in this moment never unlocks it, and then the others would wait for ever. So the
# semaphore gets more units than processes are killed.
CLOCK_SEMAPHORE = "/faketime_sem_{}"
CLOCK_UNITS = 1000
IN_NAMESPACE = "DECONV_SOAK_IN_NAMESPACE"


def enter_namespace():
    """Starts this program again in a mount namespace. Returns whether the machine permits it."""
    if IN_NAMESPACE in os.environ:
        return os.environ.pop(IN_NAMESPACE) == "yes"
    words = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--user", "--map-root-user", "--mount"]
    try:
        able = subprocess.run([*words, "mount", "-t", "tmpfs", "none", "/dev/shm"], capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        able = False
    again = [sys.executable, *sys.argv]
    os.execvpe("unshare" if able else sys.executable, [*words, *again] if able else again,
               {**os.environ, IN_NAMESPACE: "yes" if able else "no"})


def mount_disks(disk):
    """Mounts a small disk on a folder, and an empty /dev/shm."""
    for folder, size in ((disk, DISK_BYTES), ("/dev/shm", SHARED_BYTES)):
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "none", folder], check=True)


@contextlib.contextmanager
def full(disk):
    """Fills the disk for the time of a `with`, so that little space is left."""
    filler = disk / "filler"
    filler.write_bytes(b"\0" * (shutil.disk_usage(disk).free - LEFT_BYTES))
    try:
        yield
    finally:
        filler.unlink()


def lines_in(path):
    """The number of lines of a file; 0 without the file."""
    try:
        return path.read_bytes().count(b"\n")
    except FileNotFoundError:
        return 0


def remove(path):
    """Removes a file or a folder."""
    shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()


def children(process):
    """The child processes of a process."""
    found = []
    try:
        for task in os.listdir(f"/proc/{process}/task"):
            found += pathlib.Path(f"/proc/{process}/task/{task}/children").read_text(encoding="utf-8").split()
    except (FileNotFoundError, ProcessLookupError):
        pass
    return [int(word) for word in found]


def command_of(process):
    """The command line of a process; "" if it has ended."""
    try:
        return pathlib.Path(f"/proc/{process}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
    except (FileNotFoundError, ProcessLookupError):
        return ""


def workers_of(runner):
    """The processes of a gate in which its backend runs."""
    return {each for each in children(runner.pid) if "--deconv-worker" in command_of(each)}


def kill(process):
    """Kills a process. Returns whether it was there."""
    try:
        os.kill(process, signal.SIGKILL)
        return True
    except ProcessLookupError:
        return False


def add_units(name):
    """Adds CLOCK_UNITS to a semaphore. Returns whether it exists."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.sem_open.restype = ctypes.c_void_p
    libc.sem_open.argtypes = [ctypes.c_char_p, ctypes.c_int]
    libc.sem_post.argtypes = libc.sem_close.argtypes = [ctypes.c_void_p]
    semaphore = libc.sem_open(name.encode(), 0)
    if not semaphore:
        return False
    for _ in range(CLOCK_UNITS):
        libc.sem_post(semaphore)
    libc.sem_close(semaphore)
    return True


class Clock:
    """The clock of programs that run in `environment`. Without libfaketime it is the real one, and `moves` is false."""

    def __init__(self, folder, environment):
        self.file = folder / "clock"
        self.environment = {}
        libraries = sorted(pathlib.Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))
        self.moves = bool(libraries)
        if not libraries:
            return
        # The times of files stay real. Else the key of a resumed run, which has the time of the program's file, would change.
        self.environment = {"LD_PRELOAD": str(libraries[0]), "FAKETIME_TIMESTAMP_FILE": str(self.file), "FAKETIME_CACHE_DURATION": "1",
                            "FAKETIME_DONT_FAKE_MONOTONIC": "1", "DONT_FAKE_MONOTONIC": "1", "NO_FAKE_STAT": "1"}
        self.set(5)
        shown = subprocess.run(["date", "+%s"], env=environment | self.environment, capture_output=True, text=True, check=True).stdout
        if abs(float(shown) - time.time() - 5 * 3600) > 60:
            raise Problem(f"{libraries[0]} does not change the clock: date shows {shown.strip()}")

    def set(self, hours):
        """Moves the clock by so many hours against the real one."""
        new = self.file.with_suffix(".new")
        new.write_text(f"{hours * 3600:+.0f}\n", encoding="utf-8")
        new.replace(self.file)

    def secure(self, program):
        """Waits until a program has started. Its processes can be killed from then on."""
        while self.moves and program.poll() is None and not add_units(CLOCK_SEMAPHORE.format(program.pid)):
            time.sleep(0.001)
