// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// deconv-server BACKEND: any backend of this build behind the process door, and nothing else of the suite. For a
// machine that has none of what the suite needs, or that is emulated: deconv-cts run --backend "cmd:exec qemu-aarch64
// deconv-server kernel"

#include <array>
#include <cstdio>
#include <string>

#include "conformance/door/serve_process.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("deconv-server: expected the name of a backend, such as kernel\n", stderr);
    return 2;
  }
  std::string serve(conformance::kServeArgument);
  const std::array<char*, 3> arguments = {argv[0], serve.data(), argv[1]};
  return conformance::ServeIfProcess(arguments);
}
