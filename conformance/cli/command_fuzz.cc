// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The commands `fuzz` and `power --fuzz`: replaces this process by the program deconv-fuzz, which lies beside this one.

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

#include "conformance/cli/commands.h"
#include "conformance/cli/exit_code.h"

namespace conformance {

void AddFuzzCommand(CLI::App& program) {
  program.add_subcommand("fuzz", "search a backend for failures with generated cases; see deconv-cts fuzz --help");
}

int RunFuzzProgram(int count, char** values) {
  const std::string_view command = count > 1 ? values[1] : "";
  const auto is_fuzz = [](const char* word) { return std::string_view(word) == "--fuzz"; };
  const bool power = command == "power" && std::any_of(values + 2, values + count, is_fuzz);
  if (command != "fuzz" && !power) return -1;
  std::error_code error;
  const std::string program =
      (std::filesystem::read_symlink("/proc/self/exe", error).parent_path() / "deconv-fuzz").string();
  std::vector<char*> arguments(values, values + count);
  if (power) std::erase_if(arguments, is_fuzz);
  arguments.push_back(nullptr);
  execv(program.c_str(), arguments.data());
  return UsageError(
      fmt::format("{}: cannot be started: {}; install deconv-fuzz beside deconv-cts", program, std::strerror(errno)));
}

}  // namespace conformance
