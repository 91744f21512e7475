# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Builds packages for another Debian release or for another processor, in a Debian tree below build/package. The programs
are compiled in the tree's folder /package, and ci/package runs in the tree unchanged.

A tree for another processor runs under QEMU. Its compiler and binary tools are programs of this machine, because they
would be slow under QEMU.
"""
import os
import pathlib
import subprocess
from platform import freedesktop_os_release

from debian_tree import ROOT, Problem, Tree, say

from packages.staging import TARGET

PROGRAM = "ci/package"
RELEASES = ("bookworm", "trixie", "sid")
DEBIAN_NAMES = {"x86_64": "amd64", "aarch64": "arm64"}
OWN_ARCH = os.uname().machine
WORK = pathlib.Path("/package")  # the folder of builds in the tree
# The Debian packages that the programs need, as ci/setup installs them, and those that ci/package and pip need.
PACKAGES = ["ca-certificates", "cmake", "file", "git", "libbenchmark-dev", "libcli11-dev", "libclang-rt-19-dev", "libdnnl-dev",
            "libdw-dev", "libfmt-dev", "libgmock-dev", "libgtest-dev", "libonnx-dev", "libprotobuf-dev", "libprotozero-dev",
            "libpugixml-dev", "librapidcheck-dev", "libstdc++-12-dev", "libtomlplusplus-dev", "ninja-build",
            "nlohmann-json3-dev", "patchelf", "pkg-config", "protobuf-compiler", "python3-numpy", "python3-venv"]
COMPILER = ["clang-19", "ccache"]
# dpkg-dev needs the tree's own binutils, which the compiler of another processor replaces.
DEBIAN_TOOLS = ["dpkg-dev"]
BINFMT = pathlib.Path("/proc/sys/fs/binfmt_misc")


def add_options(parser):
    """Adds the options of ci/package that choose the system."""
    parser.add_argument("--release", choices=RELEASES,
                        help="the Debian release in which to build (default: this machine's; with --arch bookworm, the oldest)")
    parser.add_argument("--arch", choices=DEBIAN_NAMES, default=OWN_ARCH, help="the processor (default: this machine's)")
    parser.add_argument("--jobs", type=int,
                        help="compilers at a time with --release or --arch (default: one a core)")


def is_wanted(kinds, given):
    """Whether the packages are for another system than this machine's. Sets the default release."""
    if given.arch != OWN_ARCH and "deb" in kinds:
        raise Problem(f"Debian packages are not built with --arch {given.arch}, expected wheel, tarball or oci", code=2)
    own = freedesktop_os_release().get("VERSION_CODENAME", "sid")
    given.release = given.release or (own if given.arch == OWN_ARCH else RELEASES[0])
    return given.arch != OWN_ARCH or given.release != own


def register_emulator(arch):
    """Makes this machine start programs of another processor with QEMU."""
    registration = pathlib.Path(f"/usr/lib/binfmt.d/qemu-{arch}.conf")
    if not registration.exists():
        Tree(PROGRAM, "/").install(["qemu-user-static"])
    if not (BINFMT / "register").exists():
        subprocess.run(["mount", "-t", "binfmt_misc", "none", BINFMT], check=False)
    if (BINFMT / f"qemu-{arch}").exists():
        return
    try:
        (BINFMT / "register").write_text(registration.read_text(encoding="utf-8").strip(), encoding="utf-8")
    except OSError as error:
        raise Problem(f"cannot register QEMU for {arch}: {error}") from None
    say(PROGRAM, f"QEMU is registered for programs of {arch}")


def make_tree(release, arch):
    """The tree with all packages that the build needs."""
    tree = Tree(PROGRAM, ROOT / f"build/package/{release}-{arch}", release, DEBIAN_NAMES[arch])
    if arch != OWN_ARCH:
        register_emulator(arch)
    tree.make()
    tree.install(PACKAGES + (COMPILER + DEBIAN_TOOLS if arch == OWN_ARCH else []))
    if arch != OWN_ARCH:
        own = DEBIAN_NAMES[OWN_ARCH]
        tree.run(["dpkg", "--add-architecture", own], "dpkg --add-architecture")
        tree.lists_are_fresh = False
        # binutils-multiarch replaces strip, objdump and others by programs that read files of all processors.
        tree.install([f"{name}:{own}" for name in (*COMPILER, f"binutils-{arch}-linux-gnu", "binutils-multiarch")])
    return tree


def configure(tree, arch, source, build, *options):
    """Configures a build in the tree. For another processor, clang compiles for it, and its own linker is used."""
    target = [] if arch == OWN_ARCH else [
        f"-DCMAKE_C_COMPILER_TARGET={arch}-linux-gnu", f"-DCMAKE_CXX_COMPILER_TARGET={arch}-linux-gnu",
        f"-DDECONV_LD=/usr/bin/{arch}-linux-gnu-ld.bfd", f"-DDECONV_OBJCOPY=/usr/bin/{arch}-linux-gnu-objcopy"]
    tree.run(["cmake", "--fresh", "-S", str(source), "-B", str(build), "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
              "-DCMAKE_C_COMPILER=clang-19", "-DCMAKE_CXX_COMPILER=clang++-19", "-DCMAKE_CXX_COMPILER_LAUNCHER=ccache",
              *target, *options], f"cmake for {source}")


def build_highway(tree, arch):
    """Builds Debian 13's Highway in the tree, as ci/setup does on Debian 12. Debian 12 has an older one, and the packages of
    later releases have no libhwy.a, of which the static library is made."""
    ready = tree.folder / "package/deps/.ready"
    if ready.exists():
        return
    tree.fetch_highway("trixie")
    options = ["-DBUILD_TESTING=OFF", "-DHWY_ENABLE_CONTRIB=OFF", "-DHWY_ENABLE_EXAMPLES=OFF", "-DHWY_ENABLE_TESTS=OFF"]
    configure(tree, arch, ROOT / "build/matrix/highway-trixie", WORK / "highway", "-DCMAKE_INSTALL_LIBDIR=lib",
              "-DCMAKE_POSITION_INDEPENDENT_CODE=ON", f"-DCMAKE_INSTALL_PREFIX={WORK}/deps", *options)
    tree.run(["cmake", "--build", f"{WORK}/highway", "--target", "install"], "the build of Highway")
    tree.run(["touch", f"{WORK}/deps/.ready"], "touch")


def write_packages(kinds, given, epoch):
    """Builds in the tree, and copies the packages from it. Returns their paths."""
    tree = make_tree(given.release, given.arch)
    build_highway(tree, given.arch)
    build = f"{WORK}/build"
    if not given.no_build:
        say(PROGRAM, f"building what the packages hold, in {tree.folder}")
        configure(tree, given.arch, ROOT, build, f"-DCMAKE_PREFIX_PATH={WORK}/deps", "-DDECONV_KERNEL_TARGETS=all",
                  "-DDECONV_CTS_KERNEL=ON", "-DDECONV_TESTS=OFF", "-DCMAKE_UNITY_BUILD=ON")
        tree.run(["cmake", "--build", build, "-j", str(given.jobs or os.cpu_count()), "--target", TARGET], "the build")
    inner = tree.folder / "package/out"
    for path in inner.glob("*"):
        path.unlink()
    tree.run(["env", f"SOURCE_DATE_EPOCH={epoch}", "ci/package", *kinds, "--no-build", "--build", build, "--out", f"{WORK}/out"],
             "ci/package in the tree")
    given.out.mkdir(parents=True, exist_ok=True)
    targets = []
    for path in sorted(inner.iterdir()):
        targets.append(given.out / path.name)
        targets[-1].write_bytes(path.read_bytes())
    return targets
