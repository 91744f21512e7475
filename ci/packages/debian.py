# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Makes the Debian packages of the installed tree, for the Debian release that this machine runs.

The library's package is named after its soname, as Debian's policy asks: libdeconv0.1.
"""
import gzip
import hashlib
import os
import re
import shutil
import textwrap
import time

from debian_tree import ROOT

from packages.staging import call, elf_files, settle

MAINTAINER = "the deconv-cts authors <nobody@example.invalid>"
HOMEPAGE = "https://github.com/deconv-cts/deconv-cts"
SONAME_VERSION = "0.1"
LIBRARY = f"libdeconv{SONAME_VERSION}"

# Columns: the package, and a pattern of the paths that it gets. The first pattern that matches decides.
CONTENTS = (
    (LIBRARY, r"lib/libdeconv\.so\..*"),
    ("libdeconv-dev", r"lib/(libdeconv\.(so|a)|pkgconfig/.*|cmake/deconv/.*)|include/deconv/.*|share/deconv/.*"),
    ("deconv-cts", r".*"),
)

# Columns: section, dependencies, further fields, short description, long description.
FIELDS = {
    "deconv-cts": ("devel", "", "Recommends: python3-numpy", "conformance suite for transposed convolution",
                   "Tests a library's transposed convolution on thousands of cases, within derived error bounds. It names the "
                   "rules of the specification by which an output is wrong."),
    LIBRARY: ("libs", "", "", "transposed convolution on CPUs, vectorised",
              "A library with a C interface of plan, pack and run. It chooses the instruction set when it runs. This package "
              "has the shared library."),
    "libdeconv-dev": ("libdevel", f"{LIBRARY} (= {{version}})", "Suggests: g++, cmake, pkg-config",
                      "transposed convolution on CPUs, development files",
                      "A library with a C interface of plan, pack and run. This package has the headers, the static library, "
                      "the files of CMake and pkg-config, and examples."),
}


def split(tree, work):
    """Copies each file of the tree into the folder of its package, by the table CONTENTS."""
    for path in sorted(tree.rglob("*")):
        if path.is_dir() and not path.is_symlink():
            continue
        relative = str(path.relative_to(tree))
        package = next(name for name, pattern in CONTENTS if re.fullmatch(pattern, relative))
        target = work / package / "usr" / relative
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, target, follow_symlinks=False)


def add_documents(folder, package, version, epoch):
    """Adds the documents that Debian's policy asks for: copyright and changelog."""
    documents = folder / "usr/share/doc" / package
    documents.mkdir(parents=True, exist_ok=True)
    (documents / "LICENSE").unlink(missing_ok=True)  # the file `copyright` has its text
    (documents / "CHANGELOG.md").unlink(missing_ok=True)
    year = time.strftime("%Y", time.gmtime(epoch))
    licence = " On Debian systems, the full text is in /usr/share/common-licenses/Apache-2.0."
    (documents / "copyright").write_text(
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n"
        f"Upstream-Name: deconv-cts\nSource: {HOMEPAGE}\n\nFiles: *\nCopyright: {year} the deconv-cts authors\n"
        f"License: Apache-2.0\n{licence}\n", encoding="utf-8")
    date = time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime(epoch))
    entry = (f"deconv-cts ({version}) unstable; urgency=medium\n\n  * Release {version}.\n\n -- {MAINTAINER}  {date}\n")
    (documents / "changelog.gz").write_bytes(gzip.compress(entry.encode(), 9, mtime=0))
    if package == "deconv-cts":
        (documents / "NEWS.md.gz").write_bytes(gzip.compress((ROOT / "CHANGELOG.md").read_bytes(), 9, mtime=0))


def shared_library_depends(folder, work, packages):
    """The packages with the shared libraries that are loaded: those of the programs (Depends), and those of the
    plugin for oneDNN (Suggests). dpkg-shlibdeps finds them."""
    files = elf_files(folder / "usr")
    if not files:
        return {}
    place = work / "shlibdeps"
    (place / "debian").mkdir(parents=True, exist_ok=True)
    (place / "debian/control").write_text("Source: deconv-cts\n\n" + "".join(f"Package: {name}\nArchitecture: any\n\n"
                                                                            for name in packages), encoding="utf-8")
    words = ["dpkg-shlibdeps", "-O"]
    for kind, chosen in (("Suggests", [path for path in files if "/lib/deconv-cts/" in str(path)]),
                         ("Depends", [path for path in files if "/lib/deconv-cts/" not in str(path)])):
        words += [f"-d{kind}", *(f"-e{path}" for path in chosen)] if chosen else []
    return dict(re.findall(r"^shlibs:(\w+)=(.*)$", call(words, cwd=place), re.M))


def write_control(folder, package, version, found):
    """Writes the folder DEBIAN of a package: its description, the sums of its files, and what the loader needs to know
    of the library. `found` is the result of shared_library_depends()."""
    section, depends, others, short, long = FIELDS[package]
    control = folder / "DEBIAN"
    control.mkdir()
    depends = ", ".join(filter(None, [depends.format(version=version), found.get("Depends", "")]))
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    lines = [f"Package: {package}", "Source: deconv-cts", f"Version: {version}",
             f"Architecture: {call(['dpkg', '--print-architecture']).strip()}", f"Maintainer: {MAINTAINER}",
             f"Installed-Size: {(size + 1023) // 1024}", f"Depends: {depends}", others, f"Section: {section}",
             "Priority: optional", f"Homepage: {HOMEPAGE}", f"Description: {short}",
             *(" " + line for line in textwrap.wrap(long, 78))]
    if found.get("Suggests"):
        lines.insert(8, f"Suggests: {found['Suggests']}")
    (control / "control").write_text("\n".join(filter(None, lines)) + "\n", encoding="utf-8")
    sums = [f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(folder)}\n"
            for path in sorted((folder / "usr").rglob("*")) if path.is_file() and not path.is_symlink()]
    (control / "md5sums").write_text("".join(sums), encoding="utf-8")
    if package == LIBRARY:
        (control / "shlibs").write_text(f"libdeconv {SONAME_VERSION} {LIBRARY} (>= {version})\n", encoding="utf-8")
        (control / "triggers").write_text("activate-noawait ldconfig\n", encoding="utf-8")


def write_packages(tree, version, epoch, out, work):
    """Writes the packages of the installed tree into the folder `out`. Returns their paths. `epoch` is the time of all
    files, in seconds since 1970, and `work` a scratch folder."""
    place = work / "debian"
    place.mkdir()
    split(tree, place)
    targets = []
    for package in FIELDS:
        folder = place / package
        add_documents(folder, package, version, epoch)
        write_control(folder, package, version, shared_library_depends(folder, work, FIELDS))
        settle(folder, epoch)
        target = out / f"{package}_{version}_{call(['dpkg', '--print-architecture']).strip()}.deb"
        call(["dpkg-deb", "--root-owner-group", "-Zxz", "-z2", "--build", folder, target],
             env={**os.environ, "SOURCE_DATE_EPOCH": str(epoch)})
        targets.append(target)
    return targets
