# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Makes a container image in the OCI format, without the daemon of a container runtime. Its one layer has the
relocatable tree, the C and C++ libraries of this machine, and a shell. `podman load`, `skopeo copy oci-archive:` and
`docker load` read it. It has no package manager and no Python, but a user's Dockerfile may copy the folder /usr/local
from it.
"""
import hashlib
import json
import os
import pathlib
import re
import shutil
import tarfile
import time

from packages.staging import add_to_tar, call, copy_licence, settle, tar_of, zipped

SHELL = pathlib.Path("/bin/dash")
ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}


def loaded_libraries(program):
    """The paths by which the loader finds the libraries of a program, the loader among them."""
    return sorted(set(re.findall(r"(/\S+) \(0x", call(["ldd", program]))))


def fill(tree, root, epoch):
    """The image's file system: the tree below /usr/local, and what its programs load where the loader looks for it."""
    shutil.copytree(tree, root / "usr/local", symlinks=True)
    programs = [*sorted((tree / "bin").iterdir()), SHELL]
    for path in sorted({path for program in programs for path in loaded_libraries(program)}):
        if "/deconv-cts/" in path:
            continue
        # The folder is the same whether /lib is a link to /usr/lib or not.
        place = root / ("lib64" if "/ld-" in path and path.startswith("/lib64") else "lib/x86_64-linux-gnu" if
                        os.uname().machine == "x86_64" else "lib/aarch64-linux-gnu") / pathlib.Path(path).name
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, place)
        place.chmod(0o755)
        copy_licence(pathlib.Path(path).resolve(), root / "usr/local")
    (root / "bin").mkdir()
    shutil.copyfile(SHELL, root / "bin/sh")
    (root / "bin/sh").chmod(0o755)
    copy_licence(SHELL.resolve(), root / "usr/local")
    for folder in ("tmp", "work", "etc"):
        (root / folder).mkdir()
    (root / "etc/passwd").write_text("root:x:0:0:root:/work:/bin/sh\nnobody:x:65534:65534:nobody:/work:/bin/sh\n", encoding="utf-8")
    settle(root, epoch)


def text_of(value):
    """The bytes of a JSON document. Equal documents give equal bytes."""
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def write_image(tree, version, epoch, out, work):
    """Writes the image of the relocatable tree into the folder `out`. Returns its path in a list. `work` is a scratch
    folder.

    The archive has blobs, files that are named by their hashes: the layer, a configuration that names the layer, and a
    manifest that names both. index.json names the manifest.
    """
    root, layout = work / "image", work / "layout"
    root.mkdir()
    blobs = layout / "blobs/sha256"
    blobs.mkdir(parents=True)
    fill(tree, root, epoch)
    layer = tar_of(root, "", epoch, modes={"tmp": 0o1777})

    def blob(content, media):
        """Writes a blob. Returns what other documents say of it."""
        digest = hashlib.sha256(content).hexdigest()
        (blobs / digest).write_bytes(content)
        return {"mediaType": f"application/vnd.oci.image.{media}", "digest": f"sha256:{digest}", "size": len(content)}

    created = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(epoch))
    platform = {"architecture": ARCHITECTURES[os.uname().machine], "os": "linux"}
    labels = {"org.opencontainers.image.title": "deconv-cts", "org.opencontainers.image.version": version,
              "org.opencontainers.image.licenses": "Apache-2.0"}
    config = {**platform, "created": created,
              "config": {"Entrypoint": ["/usr/local/bin/deconv-cts"], "Cmd": ["--help"], "WorkingDir": "/work", "Labels": labels,
                         "Env": ["PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/work"]},
              "rootfs": {"type": "layers", "diff_ids": [f"sha256:{hashlib.sha256(layer).hexdigest()}"]},
              "history": [{"created": created, "created_by": "ci/package oci"}]}
    manifest = {"schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json",
                "config": blob(text_of(config), "config.v1+json"), "layers": [blob(zipped(layer), "layer.v1.tar+gzip")],
                "annotations": labels}
    entry = {**blob(text_of(manifest), "manifest.v1+json"), "platform": platform,
             "annotations": {"org.opencontainers.image.ref.name": version}}
    (layout / "oci-layout").write_bytes(text_of({"imageLayoutVersion": "1.0.0"}))
    (layout / "index.json").write_bytes(text_of({"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json",
                                                 "manifests": [entry]}))
    settle(layout, epoch)
    target = out / f"deconv-cts-{version}-{platform['architecture']}.oci.tar"
    with tarfile.open(target, "w", format=tarfile.PAX_FORMAT) as archive:
        for path in sorted(layout.rglob("*")):
            add_to_tar(archive, path, str(path.relative_to(layout)), epoch)
    return [target]
