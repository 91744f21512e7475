// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The program deconv-server: answers requests of the process protocol with any backend (implementation that the suite
// judges) of this build, without the rest of the suite. It is for emulated machines and for machines on which the suite
// cannot run.
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
