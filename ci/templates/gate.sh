#!/bin/sh
# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
#
# The gate in a vendor's CI, as plain shell:   BACKEND=./libvendor.so gate.sh [option of deconv-cts run]...
# To change: nothing. The environment says
#   BACKEND             what is gated: ./libvendor.so, or "cmd:python3 backend.py"            (must be set)
#   LEVEL               smoke, gate or full                                                   (default: gate)
#   EXPECT              a file of known failures                                              (default: none)
#   SANDBOX             true: the backend has no network, no writes, no home folder               (default: false)
#   REPORTS             the folder of the reports; it is removed first                        (default: deconv-cts-reports)
#   DECONV_CTS          the program                                                           (default: deconv-cts in PATH)
#   DECONV_CTS_SOURCE   a checkout of deconv-cts, which is built if there is no program (as root the first time: packages)
# The exit code is that of `deconv-cts run`: 0 the backend conforms, 1 failures, 4 only stale expectations, 5 nothing judged ...; that of
# `deconv-cts doctor` where the backend is not plugged in right; 6 where the suite could not be built. Shards are taken from
# GitLab's, Slurm's, Bazel's and GoogleTest's variables by deconv-cts itself.
set -u
if [ -z "${BACKEND:-}" ]; then
  echo "gate.sh: BACKEND is not set, expected a backend, such as BACKEND=./libvendor.so" >&2
  exit 2
fi
reports=${REPORTS:-deconv-cts-reports}

cts=${DECONV_CTS:-deconv-cts}
if ! command -v "$cts" >/dev/null 2>&1; then
  if [ -z "${DECONV_CTS_SOURCE:-}" ]; then
    echo "gate.sh: no program $cts, expected it in PATH, in DECONV_CTS, or a checkout in DECONV_CTS_SOURCE" >&2
    exit 6
  fi
  "$DECONV_CTS_SOURCE/ci/setup" gate || exit 6
  (cd "$DECONV_CTS_SOURCE" && cmake --preset release && cmake --build --preset release --target deconv-cts) || exit 6
  cts=$DECONV_CTS_SOURCE/build/release/bin/deconv-cts
fi

# Old reports are removed, so that nobody takes them for the reports of this run.
rm -rf -- "$reports"
mkdir -p "$reports" || exit 2

case ${SANDBOX:-false} in false) sandbox='' ;; *) sandbox=--sandbox ;; esac

# Without a file of known failures, the doctor checks first whether the backend is plugged in right. If it is not, the
# gate would only show the same fault in many cases. Wrong values (1) do not end the gate here.
if [ -z "${EXPECT:-}" ]; then
  "$cts" doctor $sandbox "$BACKEND"
  found=$?
  case $found in 0 | 1 | 5) ;; *) exit "$found" ;; esac
fi

if [ -n "${EXPECT:-}" ]; then set -- "$@" --expect "$EXPECT"; fi
exec "$cts" run --backend "$BACKEND" $sandbox --level "${LEVEL:-gate}" "$@" \
  --junit "$reports/junit.xml" --json "$reports/report.jsonl" --html "$reports/report.html" \
  --sarif "$reports/report.sarif" --markdown "$reports/report.md" --ctrf "$reports/ctrf.json"
