# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Makes Debian trees below build/ and installs packages in them, for ci/backends, ci/findings, ci/matrix and
ci/faults. A Debian tree is a folder with a small Debian system, in which commands run as on a machine of that
release. A tree of sid has the newest libraries that Debian and npm offer, whatever release this machine runs.
ci/in_tree runs a command in a tree.

run_program() starts and ends these programs: it prints their problems and sets their exit codes.
"""
import glob
import hashlib
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import time
from platform import freedesktop_os_release

ROOT = pathlib.Path(__file__).resolve().parent.parent
APT = ["apt-get", "-qq", "-o", "Dpkg::Use-Pty=0", "-o", "APT::Sandbox::User=root"]
START = time.monotonic()
PATIENCE_SECONDS = 600  # for a command whose output is wanted; a guess


class Problem(Exception):
    """A step that failed. The message says what to do. `code` is the exit code."""

    def __init__(self, message, code=6):
        super().__init__(message)
        self.code = code


def say(program, message):
    """Prints a line about the progress of a program, with the seconds since its start."""
    print(f"{program}: {message} ({time.monotonic() - START:.0f} s)", file=sys.stderr, flush=True)


def run_program(program, main):
    """Calls main() and ends the process with its exit code. Prints a Problem. If nobody reads the output any more, as
    behind `| head`, the exit code is 6."""
    try:
        try:
            code = main()
        except Problem as problem:
            print(f"{program}: {problem}", file=sys.stderr)
            code = problem.code
        sys.stdout.flush()
    except BrokenPipeError:
        # Python flushes stdout and stderr again when it exits. /dev/null takes what is left, so that this does not fail.
        devnull = os.open(os.devnull, os.O_WRONLY)
        os.dup2(devnull, sys.stdout.fileno())
        try:
            print(f"{program}: cannot write: the reader of stdout or stderr has ended", file=sys.stderr, flush=True)
        except BrokenPipeError:
            os.dup2(devnull, sys.stderr.fileno())
        code = 6
    sys.exit(code)


def mirror_of_this_machine():
    """The address from which apt gets this machine's packages."""
    for name in sorted(glob.glob("/etc/apt/sources.list") + glob.glob("/etc/apt/sources.list.d/*")):
        for line in pathlib.Path(name).read_text(encoding="utf-8").splitlines():
            words = line.split()
            if line.startswith("URIs:") and len(words) > 1:
                return words[1]
            addresses = [word for word in words if "://" in word]
            if line.startswith("deb ") and addresses:
                return addresses[0]
    raise Problem("apt has no mirror in /etc/apt/sources.list or sources.list.d; add one")


def highway_source(release):
    """The folder of Highway's source as a Debian release has it. `Tree.fetch_highway` fills it."""
    return ROOT / "build/matrix" / f"highway-{release}"


class Tree:
    """A Debian tree in a folder. The folder / is this machine itself. `arch` is Debian's name of the processor whose
    programs the tree has, if it is another one than this machine's."""

    def __init__(self, program, folder, suite="sid", arch=None):
        self.program = program
        self.folder = pathlib.Path(folder).resolve()
        self.suite = suite
        self.arch = arch
        self.here = self.folder == pathlib.Path("/")
        self.log = ROOT / "build" / f"{self.folder.name or 'here'}.log"
        self.lists_are_fresh = False

    def call(self, command, what, **options):
        """Runs a command of this machine. Its output goes to the log, whose end is shown if the command fails."""
        self.log.parent.mkdir(exist_ok=True)
        with open(self.log, "ab") as log:
            if subprocess.run(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, check=False, **options).returncode == 0:
                return
        last = self.log.read_text(encoding="utf-8", errors="replace").splitlines()[-15:]
        raise Problem("\n".join([f"{what} failed; {self.log} has all of it:", *last]))

    def command(self, command):
        """The command line that runs a command in the tree."""
        return [str(ROOT / "ci/in_tree"), *command]

    def environment(self):
        """The variables with which ci/in_tree finds this tree."""
        return {**os.environ, "DECONV_TREE": str(self.folder)}

    def run(self, command, what):
        """Runs a command in the tree. If it fails, raises a Problem with `what`, its name, and the end of its
        output."""
        self.call(self.command(command), what, env=self.environment())

    def output(self, command):
        """(exit code, standard output, standard error) of a command in the tree."""
        try:
            done = subprocess.run(self.command(command), env=self.environment(), capture_output=True, text=True, check=False,
                                  stdin=subprocess.DEVNULL, errors="replace", timeout=PATIENCE_SECONDS)
        except subprocess.TimeoutExpired as late:
            raise Problem(f"no end within {PATIENCE_SECONDS} s: {shlex.join(map(str, command))}") from late
        return done.returncode, done.stdout, done.stderr

    def make(self):
        """Makes the tree, if it is not there."""
        if self.here or (self.folder / ".made").exists():
            return
        if os.geteuid() != 0:
            raise Problem(f"only root can make {self.folder}")
        self.folder.parent.mkdir(parents=True, exist_ok=True)
        if shutil.which("debootstrap") is None:
            say(self.program, "installing debootstrap")
            self.call([*APT, "update"], "apt-get update")
            self.call([*APT, "install", "-y", "--no-install-recommends", "debootstrap"], "apt-get install debootstrap")
        say(self.program, f"making a Debian {self.suite} tree in {self.folder}")
        keyring = pathlib.Path("/usr/share/keyrings/debian-archive-keyring.gpg")
        # An old keyring does not know the keys of sid, so signatures of sid are not checked. The packages come from this
        # machine's own mirror.
        check = ["--no-check-gpg"] if self.suite == "sid" or not keyring.exists() else [f"--keyring={keyring}"]
        arch = [f"--arch={self.arch}"] if self.arch else []
        self.call(["debootstrap", "--variant=minbase", "--include=ca-certificates", *arch, *check, self.suite, str(self.folder),
                   mirror_of_this_machine()], "debootstrap")
        for file in glob.glob("/etc/apt/apt.conf.d/*"):
            shutil.copy(file, self.folder / "etc/apt/apt.conf.d/")
        (self.folder / ".made").touch()

    def install(self, packages):
        """Installs those packages that are missing."""
        if not packages:
            return
        # A package may be named with its architecture, as in gcc:arm64.
        form = "${Package} ${db:Status-Status}\n${Package}:${Architecture} ${db:Status-Status}\n"
        status = self.output(["dpkg-query", "-W", "-f", form])[1].splitlines()
        missing = [name for name in packages if f"{name} installed" not in status]
        if not missing:
            return
        if not self.lists_are_fresh:
            self.run([*APT, "update"], "apt-get update in the tree")
            self.lists_are_fresh = True
        say(self.program, f"installing {' '.join(missing)}")
        self.run(["env", "DEBIAN_FRONTEND=noninteractive", *APT, "install", "-y", "--no-install-recommends", *missing],
                 "apt-get install in the tree")

    def fetch_highway(self, release):
        """Fetches Highway's source, if it is not there."""
        source = highway_source(release)
        if source.exists():
            return
        Tree(self.program, "/").install(["dpkg-dev", "xz-utils", "debian-archive-keyring"])
        say(self.program, f"fetching Highway's source from Debian's {release}")
        self.call([ROOT / "ci/fetch_highway", release, source], "ci/fetch_highway")

    def install_npm(self, folder):
        """Installs what a folder's package-lock.json names, in /npm/<name of the folder> of the tree."""
        source = ROOT / folder
        target = self.folder / "npm" / source.name
        lock = (source / "package-lock.json").read_bytes()
        stamp = target / ".installed"
        if stamp.exists() and stamp.read_text(encoding="utf-8") == hashlib.sha256(lock).hexdigest():
            return
        if shutil.which("npm") is None:
            raise Problem("npm is not installed; run: apt-get install npm")
        say(self.program, f"installing the npm packages of {folder}")
        target.mkdir(parents=True, exist_ok=True)
        for name in ("package.json", "package-lock.json"):
            shutil.copy(source / name, target)
        self.call(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], f"npm ci for {folder}",
                  cwd=target, env={**os.environ, "ONNXRUNTIME_NODE_INSTALL": "skip"})
        stamp.write_text(hashlib.sha256(lock).hexdigest(), encoding="utf-8")

    def build_native(self, targets):
        """Builds the adapters of conformance/adapters/native in /native of the tree."""
        self.install(["cmake", "ninja-build", "g++", "pkg-config"])
        say(self.program, f"building {' '.join(targets)}")
        self.run(["cmake", "--fresh", "-S", "conformance/adapters/native", "-B", "/native", "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release"],
                 "cmake for conformance/adapters/native")
        self.run(["cmake", "--build", "/native", "--target", *targets], "the build of conformance/adapters/native")


def trees_of(program, releases, folder, here):
    """The Debian tree of each release, below a folder. A machine that runs the release is its own tree."""
    own = freedesktop_os_release().get("VERSION_CODENAME")
    return {release: Tree(program, "/" if here or release == own else folder / release, release)
            for release in releases}
