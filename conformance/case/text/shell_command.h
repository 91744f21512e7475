// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Commands that a message tells a user to run: words that can be pasted into a shell, and the command that builds a
// part that is missing.

#ifndef DECONV_CONFORMANCE_CASE_TEXT_SHELL_COMMAND_H_
#define DECONV_CONFORMANCE_CASE_TEXT_SHELL_COMMAND_H_

#include <string>
#include <string_view>

#include <fmt/format.h>

namespace conformance {

/// The word as a shell must read it: in single quotes if it contains characters that are special to a shell.
std::string ShellWord(std::string_view word);

// An installed program does not know its build folder, so the sentence calls it BUILD. It names no CMake preset,
// because a preset would change other settings of that build.

/// The command that builds `target`. `setting`: a CMake setting that is needed, such as "-DNAME=ON", or empty.
inline std::string BuildCommand(std::string_view target, std::string_view setting = {}) {
  return fmt::format(
      "run in the project's folder: cmake {}{}BUILD && cmake --build BUILD --target {}; "
      "BUILD is the build folder, such as build/release; if deconv-cts is installed, install it again",
      setting, setting.empty() ? "" : " ", target);
}

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_TEXT_SHELL_COMMAND_H_
