#!/usr/bin/env bash
# SPDX-FileCopyrightText: the deconv-cts authors
# SPDX-License-Identifier: Apache-2.0
exec "$SRC/deconv-cts/fuzz/oss-fuzz/build.sh"
