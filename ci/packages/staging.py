# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Makes the tree of files from which all packages are made. `cmake --install` installs the programs, whose debug
symbols are removed; manual pages and completions are added. Every archive has the same order, owners and times of
files, so that two runs give the same bytes.
"""
import gzip
import io
import os
import pathlib
import re
import shutil
import subprocess
import tarfile

from debian_tree import ROOT, Problem

from packages import manual

COMPONENTS = ("cts", "runtime", "dev")
TARGET = "installed"  # of CMakeLists.txt: all programs and libraries that cmake --install takes
# Libraries that every Linux of the wheel's tag has. Any other library is put into the package.
SYSTEM_LIBRARIES = re.compile(r"(libc|libm|libdl|libpthread|libresolv|librt|libstdc\+\+|libgcc_s|ld-linux[\w-]*)\.so\.\d+")
PRIVATE_LIBRARIES = "lib/deconv-cts"


def call(command, **named):
    """Runs a program that must succeed and returns its output."""
    try:
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, errors="replace",
                              stdin=subprocess.DEVNULL, check=False, **named)
    except FileNotFoundError:
        raise Problem(f"the program {command[0]} is missing; ci/setup packages installs it") from None
    if done.returncode != 0:
        tail = "\n".join((done.stdout + done.stderr).splitlines()[-15:])
        raise Problem(f"{' '.join(map(str, command))} failed with exit code {done.returncode}:\n{tail}")
    return done.stdout


def cache_of(build):
    """The variables of a build's CMakeCache.txt."""
    try:
        text = (build / "CMakeCache.txt").read_text(encoding="utf-8")
    except OSError:
        raise Problem(f"{build} is no build; run cmake --preset release") from None
    return dict(re.findall(r"^([\w-]+):\w+=(.*)$", text, re.M))


def check_build(build):
    """Checks that the build may become a package: it runs on other machines, at full speed. Returns its version."""
    cache = cache_of(build)
    expected = {"CMAKE_BUILD_TYPE": "Release", "DECONV_KERNEL_TARGETS": "all", "DECONV_CTS_KERNEL": "ON", "DECONV_SANITIZE": ""}
    for name, value in expected.items():
        if cache.get(name, "") != value:
            raise Problem(f"{build} has {name}={cache.get(name, '')}, expected {value or 'nothing'}; run cmake --preset release")
    return cache["CMAKE_PROJECT_VERSION"]


def source_date():
    """The time of all files in packages, in seconds: SOURCE_DATE_EPOCH, else the time of the last commit."""
    given = os.environ.get("SOURCE_DATE_EPOCH")
    if given is None:
        given = call(["git", "-C", ROOT, "log", "-1", "--format=%ct"]).strip()
    if not re.fullmatch(r"\d{1,11}", given):
        raise Problem(f"SOURCE_DATE_EPOCH is '{given}', expected seconds since 1970", 2)
    return int(given)


def is_elf(path):
    """Whether a file is a program or a library."""
    if path.is_symlink() or not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


def elf_files(folder):
    """The programs and libraries below a folder."""
    return [path for path in sorted(folder.rglob("*")) if is_elf(path)]


def needed_by(path):
    """The names of the libraries that a program or library asks the loader for."""
    return re.findall(r"\(NEEDED\).*\[(.+)\]", call(["readelf", "-dW", path]))


def library_path(name, program):
    """The path at which this machine's loader finds a library of a program."""
    match = re.search(rf"^\s*{re.escape(name)} => (\S+)", call(["ldd", program]), re.M)
    if not match:
        raise Problem(f"the loader does not find {name} for {program}")
    return pathlib.Path(match.group(1)).resolve()


def stage(build, folder, epoch):
    """Installs the components into an empty folder. All files get the time `epoch`, in seconds since 1970."""
    for component in COMPONENTS:
        call(["cmake", "--install", build, "--prefix", folder, "--component", component, "--strip"])
    (folder / "share/deconv/deconv-verification.jsonl.gz").unlink(missing_ok=True)  # it depends on the machine that made it
    manual.write(folder, epoch)
    settle(folder, epoch)


def make_relocatable(folder, epoch):
    """Puts libraries that another Linux may lack beside the programs, with their licences."""
    private = folder / PRIVATE_LIBRARIES
    # The plugin for oneDNN needs the oneDNN of this Debian release.
    shutil.rmtree(private, ignore_errors=True)
    private.mkdir(parents=True)
    for program in elf_files(folder / "bin"):
        foreign = foreign_libraries(program)
        for name in foreign:
            bundle(name, program, folder)
        if foreign:
            # Checkers of wheels unpack a wheel and look into the second folder. In a tree, the libraries are in the first one.
            call(["patchelf", "--set-rpath", "$ORIGIN/../lib/deconv-cts:$ORIGIN/../data/lib/deconv-cts", program])
    settle(folder, epoch)


def foreign_libraries(path):
    """The names of the libraries that a program needs and another Linux may lack."""
    return [name for name in needed_by(path) if not SYSTEM_LIBRARIES.fullmatch(name)]


def bundle(name, program, folder):
    """Copies a library that a program needs, and those that the library needs."""
    target = folder / PRIVATE_LIBRARIES / name
    if target.exists():
        return
    source = library_path(name, program)
    shutil.copyfile(source, target)
    copy_licence(source, folder)
    more = foreign_libraries(source)
    for other in more:
        bundle(other, program, folder)
    if more:
        call(["patchelf", "--set-rpath", "$ORIGIN", target])


def copy_licence(library, folder):
    """Copies the licence of a library, which its Debian package has, into the tree below `folder`."""
    package = owner_of(library)
    text = pathlib.Path("/usr/share/doc") / package / "copyright"
    if not text.is_file():
        raise Problem(f"{text} is missing, expected the licence of {library.name}")
    target = folder / "share/doc/deconv-cts/licences" / f"{package}.txt"
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(text, target)


def owner_of(path):
    """The Debian package of a file. dpkg knows files of a merged /usr by their old path."""
    for name in (str(path), str(path).removeprefix("/usr")):
        done = subprocess.run(["dpkg-query", "-S", name], capture_output=True, text=True, check=False)
        if done.returncode == 0:
            return done.stdout.split(":")[0]
    raise Problem(f"no Debian package has {path}, so its licence is not known")


def settle(folder, epoch):
    """Gives all files the same modes and times."""
    for path in [folder, *folder.rglob("*")]:
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)
        os.utime(path, (epoch, epoch), follow_symlinks=False)


def add_to_tar(archive, path, name, epoch, mode=None):
    """Adds a file to an archive, as `name`. Owner and time do not depend on this machine."""
    info = archive.gettarinfo(path, name)
    info.uid = info.gid = 0
    info.uname = info.gname = ""
    info.mtime = epoch
    info.mode = mode if mode is not None else info.mode & 0o7777
    if info.type == tarfile.LNKTYPE:  # a hard link would depend on the files that were added before
        info.type, info.linkname = tarfile.REGTYPE, ""
        info.size = path.stat().st_size
    if info.isreg():
        with path.open("rb") as file:
            archive.addfile(info, file)
    else:
        archive.addfile(info)


def tar_of(folder, prefix, epoch, modes=None):
    """The bytes of a tar archive of a folder. `prefix` begins each name in it. `modes` has modes of single files."""
    memory = io.BytesIO()
    with tarfile.open(fileobj=memory, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path in sorted(folder.rglob("*")):
            relative = str(path.relative_to(folder))
            add_to_tar(archive, path, prefix + relative, epoch, (modes or {}).get(relative))
    return memory.getvalue()


def zipped(content, epoch=0):
    """The bytes compressed by gzip, with a fixed time in the head."""
    return gzip.compress(content, compresslevel=6, mtime=epoch)


def write_tarball(tree, version, epoch, out):
    """The relocatable tree, in a folder with the name of the archive."""
    name = f"deconv-cts-{version}-linux-{os.uname().machine}"
    target = out / f"{name}.tar.gz"
    target.write_bytes(zipped(tar_of(tree, f"{name}/", epoch)))
    return [target]
