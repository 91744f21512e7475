// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The program deconv-fuzz. Its command `fuzz` runs a campaign, which searches a backend for wrong answers. Its command
// `power` measures how good the fuzzer is. Users call `deconv-cts fuzz` and `deconv-cts power --fuzz`, which start it.

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <string>

#include <fmt/format.h>

#include "conformance/backends/serve_process.h"
#include "conformance/backends/worker/worker_process.h"
#include "conformance/cli/exit_code.h"
#include "conformance/cli/version.h"
#include "fuzz/campaign/command_line.h"

namespace fuzz {
namespace {

/// Runs the command that the arguments name. Returns the exit code.
int RunCommand(int count, char** values) {
  CLI::App program("Fuzzing campaigns on backends of transposed convolution.", "deconv-fuzz");
  program.require_subcommand(1);
  program.set_version_flag("--version", std::string("deconv-fuzz ") + conformance::kSuiteVersion);
  int exit_code = conformance::ExitCode::kExitConforms;
  AddFuzzCommand(program, exit_code);
  AddPowerCommand(program, exit_code);
  try {
    program.parse(count, values);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return program.exit(error);
    return Complain(conformance::ExitCode::kExitUsage, fmt::format("{}; see --help", error.what()));
  }
  return exit_code;
}

}  // namespace
}  // namespace fuzz

int main(int argc, char** argv) {
  // This program also starts itself as a worker, a process in which a backend runs, or as a server, a backend that is
  // asked by messages. Such a process serves here and ends. A result below 0 means that it was not started as one.
  for (const auto serve : {conformance::ServeIfWorker, conformance::ServeIfProcess}) {
    if (const int served = serve({argv, static_cast<std::size_t>(argc)}); served >= 0) return served;
  }
  try {
    return fuzz::RunCommand(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "deconv-fuzz: internal error: %s\n", error.what());
  }
  return conformance::kExitInternal;
}
