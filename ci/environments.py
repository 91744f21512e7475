# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Makes the environments in which ci/backends, ci/findings and ci/history start libraries, and runs commands in them.

The libraries of Debian and npm live in one Debian tree. Each requirements file for PyPI has a Python environment of its
own.
"""
import hashlib
import os
import re
import shlex
import shutil
import subprocess

from debian_tree import PATIENCE_SECONDS, ROOT, Problem, say


def finished(command, seconds=PATIENCE_SECONDS):
    """(exit code, standard output, standard error) of a command that starts in the project's folder."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL, errors="replace",
                              timeout=seconds, cwd=ROOT)
    except subprocess.TimeoutExpired as late:
        raise Problem(f"no end within {seconds} s: {shlex.join(map(str, command))}") from late
    return done.returncode, done.stdout, done.stderr


class TreeEnvironment:
    """The Debian tree, with those packages of Debian, of npm and of this project that a library names. Environments
    of all kinds have the same functions: make() creates them, shell() gives the command line that runs a command in
    them, variables() the environment variables, search_options() options of `deconv-cts fuzz`, and output() runs a
    command and returns its result."""

    def __init__(self, tree, library):
        self.tree, self.library = tree, library

    def make(self):
        """Makes the tree, and installs the library's packages in it."""
        self.tree.make()
        self.tree.install(sorted(self.library.get("apt", [])))
        if "npm" in self.library:
            self.tree.install_npm(self.library["npm"])
        if "native" in self.library:
            self.tree.build_native(self.library["native"])

    def shell(self, command):
        # The suite's sandbox passes few variables on, so that the command itself must say that there is no tree.
        return f"{'env DECONV_TREE=/ ' if self.tree.here else ''}ci/in_tree {command}"

    def variables(self):
        return self.tree.environment()

    def search_options(self):
        """ci/in_tree makes mounts, which the sandbox forbids."""
        return [] if self.tree.here else ["--no-sandbox"]

    def output(self, command):
        return self.tree.output(command)


class FolderEnvironment:
    """A folder below build/ whose subfolder `bin` stands first in PATH. It is up to date while its sources are the
    same. A subclass has fill(), which installs programs in the folder."""

    def __init__(self, program, folder, sources):
        self.program, self.folder, self.sources = program, folder.resolve(), sources
        self.bin = self.folder / "bin"

    def state(self):
        """A hash of the sources. The folder is out of date if it was made with another hash."""
        return hashlib.sha256(b"".join(source.read_bytes() for source in self.sources)).hexdigest()

    def make(self):
        """Makes the folder anew, unless it was made from the same sources."""
        stamp = self.folder / ".made"
        if stamp.exists() and stamp.read_text(encoding="utf-8") == self.state():
            return
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        self.fill()
        stamp.write_text(self.state(), encoding="utf-8")

    @staticmethod
    def call(command, what):
        """Runs a command. If it fails, raises a Problem with `what`, its name, and the end of its output."""
        code, output, errors = finished(command, seconds=None)  # a download or a build takes as long as it takes
        if code != 0:
            raise Problem("\n".join([f"{what} failed:", *(output + errors).splitlines()[-15:]]))

    def shell(self, command):
        return f'env PATH={shlex.quote(str(self.bin))}:"$PATH" PYTHONDONTWRITEBYTECODE=1 {command}'

    def variables(self):
        return dict(os.environ)

    def search_options(self):
        return []

    def output(self, command):
        return finished(["sh", "-c", "exec " + self.shell(shlex.join(map(str, command)))])


class PythonEnvironment(FolderEnvironment):
    """A virtual environment with the packages that a requirements file pins."""

    def __init__(self, program, folder, requirements):
        super().__init__(program, folder, [requirements])
        self.requirements = requirements

    def fill(self):
        say(self.program, f"installing the packages of {self.requirements.name}")
        self.call(["python3", "-m", "venv", self.folder], "python3 -m venv")
        self.call([self.bin / "python3", "-m", "pip", "install", "--no-input", "--quiet", "--requirement", self.requirements],
                  f"pip install of {self.requirements.name}")


class CargoEnvironment(FolderEnvironment):
    """The programs of a crate, built with the crates that its Cargo.lock pins. A folder beside it keeps the compiled
    crates, so that after a change of one adapter only this adapter is compiled."""

    def __init__(self, program, folder, crate):
        programs = re.findall(r'^path = "(.*)"$', (crate / "Cargo.toml").read_text(encoding="utf-8"), re.MULTILINE)
        super().__init__(program, folder, [crate / "Cargo.toml", crate / "Cargo.lock", *sorted(crate.glob("src/**/*.rs")),
                                           *(crate / path for path in programs)])
        self.crate = crate

    def fill(self):
        if shutil.which("cargo") is None:
            raise Problem("cargo is not installed; install Rust")
        say(self.program, f"building the programs of {self.crate.name}")
        self.call(["cargo", "install", "--quiet", "--locked", "--path", self.crate, "--root", self.folder, "--target-dir",
                   self.folder.with_name(self.folder.name + "-target")], f"cargo install of {self.crate.name}")


def environment_of(program, library, tree, folder):
    """The environment of a row of libraries.toml. Those of PyPI and crates are made below a folder."""
    if "cargo" in library:
        crate = ROOT / library["cargo"]
        return CargoEnvironment(program, folder / "cargo" / crate.name, crate)
    if "pip" in library:
        requirements = ROOT / library["pip"]
        return PythonEnvironment(program, folder / "python" / requirements.stem, requirements)
    return TreeEnvironment(tree, library)
