// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Any backend of this build behind the process door, and nothing else of the suite: for a machine that has none of what
// the suite needs, or that is emulated.
//   deconv-cts run --backend "cmd:exec qemu-aarch64 deconv-server kernel"

#include <cstdio>

#include "conformance/backends/serve_process.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("deconv-server: expected one argument, the name of a backend such as kernel\n", stderr);
    return 2;
  }
  return conformance::ServeProcess(argv[1]);
}
