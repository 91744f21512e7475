// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The program deconv-server: any backend of this build behind the process interface, without the rest of the suite. It
// serves machines that lack what the suite needs, or that are emulated.
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
