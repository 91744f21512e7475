// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The commands `fuzz` and `power --fuzz`, which search for failures with generated cases: they replace this process
// by the program deconv-fuzz, which lies beside this one.

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "conformance/case/text/files.h"
#include "conformance/case/text/shell_command.h"
#include "conformance/cli/commands.h"
#include "conformance/cli/exit_code.h"

namespace conformance {

void AddFuzzCommand(CLI::App& program) {
  program.add_subcommand("fuzz", "search a backend for failures with generated cases; see deconv-cts fuzz --help");
}

namespace {

/// Says how the program deconv-fuzz gets into this folder, which has deconv-cts.
std::string HowToGetFuzz(const std::filesystem::path& folder) {
  const std::filesystem::path build = folder.parent_path();
  std::error_code error;
  if (!std::filesystem::exists(build / "CMakeCache.txt", error)) return "install deconv-fuzz beside deconv-cts";
  return fmt::format("run cmake --build {} --target deconv-fuzz deconv-fuzz-engine", ShellWord(build.string()));
}

}  // namespace

int RunFuzzProgram(int count, char** values) {
  const std::string_view command = count > 1 ? values[1] : "";
  const auto is_fuzz_flag = [](const char* word) { return std::string_view(word) == "--fuzz"; };
  const bool is_power = command == "power" && std::any_of(values + 2, values + count, is_fuzz_flag);
  if (command != "fuzz" && !is_power) return -1;
  const std::string program = (ProgramFolder() / "deconv-fuzz").string();
  std::vector<char*> arguments(values, values + count);
  if (is_power) std::erase_if(arguments, is_fuzz_flag);
  arguments.push_back(nullptr);
  execv(program.c_str(), arguments.data());
  const std::string why = std::strerror(errno);
  return UsageError(fmt::format("{}: cannot be started: {}; {}", program, why, HowToGetFuzz(ProgramFolder())));
}

}  // namespace conformance
