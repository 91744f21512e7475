# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
"""Lists the software that the programs contain or load, as an SBOM (software bill of materials) in SPDX 2.3. The list
comes from the build itself: the headers and archives that ninja noted for the programs, and the libraries that the
loader finds. The Debian package of each file gives name and version.
"""
import json
import pathlib
import re
import subprocess
import time

from debian_tree import ROOT, Problem

from packages.staging import call, library_path, needed_by

PROGRAMS = ("bin/deconv-cts", "bin/deconv-fuzz", "bin/deconv-fuzz-engine", "bin/deconv-cts-gtest", "bin/deconv-frames",
            "lib/libdeconv.so")
HOME = "https://github.com/deconv-cts/deconv-cts"


def files_of(build):
    """The files from which the programs are made, or which they load, except the files of the project itself; and those
    of them that belong to a Highway that ci/setup has built."""
    inputs = set(call(["ninja", "-C", build, "-t", "inputs", *PROGRAMS]).splitlines())
    found, wanted = {name for name in inputs if name.startswith("/")}, False
    for line in call(["ninja", "-C", build, "-t", "deps"]).splitlines():
        if not line.startswith(" "):
            wanted = line.partition(": #deps")[0] in inputs
        elif wanted and line.strip().startswith("/"):
            found.add(line.strip())
    for path in (build / name for name in PROGRAMS):
        found |= {str(library_path(name, path)) for name in needed_by(path) if "ld-linux" not in name}
    trees = re.findall(r"^(?:CMAKE_HOME_DIRECTORY|CMAKE_CACHEFILE_DIR):\w+=(.*)$", (build / "CMakeCache.txt").read_text(), re.M)
    deps = [name for name in found if "/build/deps/include/hwy/" in name or name.endswith("/build/deps/lib/libhwy.a")]
    return {name for name in found if not any(name.startswith(f"{tree}/") for tree in trees)}, deps


def packages_of(files):
    """(name, version) of the Debian source packages of the files, for those that a package has."""
    names = sorted({str(pathlib.Path(name).resolve()) for name in files} | files)
    names += [name.removeprefix("/usr") for name in names]  # dpkg knows files of a merged /usr by their old path
    done = subprocess.run(["dpkg-query", "-S", *names], capture_output=True, text=True, check=False)
    owners = {line.partition(": ")[0].split(",")[0] for line in done.stdout.splitlines() if not line.startswith("diversion ")}
    rows = call(["dpkg-query", "-W", "-f", "${source:Package} ${source:Version}\\n", *sorted(owners)]).splitlines()
    return {tuple(row.split(" ")) for row in rows}


def text(build, version, epoch):
    """The SPDX document of the build, as JSON."""
    files, own_highway = files_of(build)
    found = packages_of(files)
    if own_highway:  # Debian 12 has no new enough Highway, so ci/setup builds that of Debian 13
        stamps = list((ROOT / "build/deps").glob("highway-*.ready"))
        if len(stamps) != 1:
            raise Problem(f"{ROOT}/build/deps has {len(stamps)} versions of Highway, expected one; run ci/setup")
        found.add(("highway", stamps[0].stem.partition("-")[2]))
    if not found:
        raise Problem("no Debian package has the headers of the build, so the SBOM would be empty")

    def package(spdx_id, name, version, *references):
        return {"SPDXID": spdx_id, "name": name, "versionInfo": version, "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
                "licenseConcluded": "NOASSERTION", "licenseDeclared": "NOASSERTION", "copyrightText": "NOASSERTION",
                "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": reference}
                                 for reference in references]}
    main = {**package("SPDXRef-deconv-cts", "deconv-cts", version), "licenseDeclared": "Apache-2.0", "downloadLocation": HOME}
    parts = [package("SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name), name, of, f"pkg:deb/debian/{name.replace('+', '%2B')}@"
                     f"{of.replace('+', '%2B').replace(':', '%3A')}?arch=source") for name, of in sorted(found)]
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-deconv-cts"),
                 *(("SPDXRef-deconv-cts", "DEPENDS_ON", part["SPDXID"]) for part in parts)]
    document = {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"deconv-cts-{version}",
        "documentNamespace": f"{HOME}/sbom/{version}-{epoch}",
        "creationInfo": {"created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(epoch)),
                         "creators": ["Organization: the deconv-cts authors", "Tool: ci/release"]},
        "packages": [main, *parts],
        "relationships": [{"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other} for one, kind, other in relations],
    }
    return json.dumps(document, indent=1) + "\n"
