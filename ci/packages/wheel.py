# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Makes the wheel deconv-cts, a package for pip, from the relocatable tree. pip puts the wheel's scripts and data
below the environment's folder. There, programs and data have the same places relative to each other as after `cmake
--install`. So the programs find their corpus and need no launcher.
"""
import base64
import hashlib
import os
import re
import shutil
import time
import zipfile

from debian_tree import ROOT, Problem

from packages.staging import call, elf_files, settle

# Columns: N of the newest GLIBCXX_3.4.N (libstdc++) that a manylinux tag allows, and M of this tag, manylinux_2_M. The
# policies of auditwheel say so.
STDCXX_OF_TAG = ((29, 34), (30, 35), (32, 38), (33, 39))
PYTHON_PACKAGES = (("kernel/python", "deconv"), ("conformance/adapters/python", "deconv_backend"),
                   ("conformance/adapters/python", "deconv_capture"), ("conformance/adapters/python", "deconv_pytest"))
ENTRY_POINTS = """[console_scripts]
deconv-capture = deconv_capture.__main__:main

[pytest11]
deconv-cts = deconv_pytest.plugin
"""


def manylinux_tag(files):
    """Returns py3-none-manylinux_2_NN_ARCH, by the newest symbols of glibc and libstdc++ that the files need. Example:
    files with GLIBC_2.34 and GLIBCXX_3.4.30 get manylinux_2_35."""
    glibc, stdcxx = 17, 0  # manylinux_2_17 is the oldest tag that the wheel may get
    for path in files:
        symbols = call(["objdump", "-T", path])
        glibc = max([glibc, *(int(minor) for minor in re.findall(r"\bGLIBC_2\.(\d+)", symbols))])
        stdcxx = max([stdcxx, *(int(patch) for patch in re.findall(r"\bGLIBCXX_3\.4\.(\d+)", symbols))])
    if stdcxx > STDCXX_OF_TAG[-1][0]:
        raise Problem(f"the programs need GLIBCXX_3.4.{stdcxx}, which no tag of manylinux is known to have")
    minor = max(glibc, next((tag for patch, tag in STDCXX_OF_TAG if stdcxx <= patch), 0) if stdcxx > 28 else 17)
    return f"py3-none-manylinux_2_{minor}_{os.uname().machine}"


def metadata(version):
    """The text of the file METADATA, which says what the package is and needs."""
    readme = (ROOT / "ci/packages/wheel.md").read_text(encoding="utf-8")
    return (f"Metadata-Version: 2.1\nName: deconv-cts\nVersion: {version}\n"
            "Summary: Conformance suite and fast CPU kernel for transposed convolution\nLicense: Apache-2.0\n"
            "License-File: LICENSE\nRequires-Python: >=3.9\nRequires-Dist: numpy\n"
            "Provides-Extra: pytest\nRequires-Dist: pytest>=7; extra == 'pytest'\n"
            f"Description-Content-Type: text/markdown\n\n{readme}")


def fill(tree, folder, version, epoch):
    """Writes the content of the wheel into a folder. Returns the wheel's tag, which names the systems on which it
    runs."""
    for parent, package in PYTHON_PACKAGES:
        source = ROOT / parent / package
        shutil.copytree(source, folder / package, ignore=shutil.ignore_patterns("__pycache__", "*.pyc"))
    library = next(path for path in (tree / "lib").glob("libdeconv.so.*") if not path.is_symlink())
    shutil.copyfile(library, folder / "deconv" / ".".join(library.name.split(".")[:4]))
    data = folder / f"deconv_cts-{version}.data"
    shutil.copytree(tree / "bin", data / "scripts")
    shutil.copytree(tree / "lib/deconv-cts", data / "data/lib/deconv-cts")
    shutil.copytree(tree / "lib/cmake/deconv-cts", data / "data/lib/cmake/deconv-cts")
    shutil.copytree(tree / "include/deconv_cts", data / "data/include/deconv_cts")
    for name in ("deconv-cts", "doc", "man", "bash-completion", "zsh", "fish"):
        shutil.copytree(tree / "share" / name, data / "data/share" / name)
    tag = manylinux_tag(elf_files(folder))
    info = folder / f"deconv_cts-{version}.dist-info"
    info.mkdir()
    shutil.copyfile(ROOT / "LICENSE", info / "LICENSE")
    (info / "METADATA").write_text(metadata(version), encoding="utf-8")
    (info / "WHEEL").write_text(f"Wheel-Version: 1.0\nGenerator: deconv-cts ci/package\nRoot-Is-Purelib: false\nTag: {tag}\n",
                                encoding="utf-8")
    (info / "entry_points.txt").write_text(ENTRY_POINTS, encoding="utf-8")
    settle(folder, epoch)
    return tag


def write_wheel(tree, version, epoch, out, work):
    """Writes the wheel of the relocatable tree into the folder `out`. Returns its path in a list. `work` is a scratch
    folder. The file RECORD in the wheel lists the hash and the size of each other file."""
    folder = work / "wheel"
    folder.mkdir()
    tag = fill(tree, folder, version, epoch)
    record = f"deconv_cts-{version}.dist-info/RECORD"
    target = out / f"deconv_cts-{version}-{tag}.whl"
    moment = time.gmtime(max(epoch, 315532800))[:6]  # a zip begins in 1980
    lines = []
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        def add(name, content, executable):
            info = zipfile.ZipInfo(name, moment)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = (0o100755 if executable else 0o100644) << 16
            archive.writestr(info, content)
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            name, content = str(path.relative_to(folder)), path.read_bytes()
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            lines.append(f"{name},sha256={digest},{len(content)}\n")
            add(name, content, os.access(path, os.X_OK))
        add(record, "".join([*lines, f"{record},,\n"]), False)
    return [target]
