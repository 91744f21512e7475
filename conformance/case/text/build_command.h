// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tells a user how to build a part that his build does not contain. An installed program does not know its build
// folder, so the sentence calls it BUILD. It names no CMake preset, because a preset would change other settings of
// that build.

#ifndef DECONV_CONFORMANCE_CASE_TEXT_BUILD_COMMAND_H_
#define DECONV_CONFORMANCE_CASE_TEXT_BUILD_COMMAND_H_

#include <string>
#include <string_view>

#include <fmt/format.h>

namespace conformance {

/// The command that builds `target`. `setting`: a CMake setting that is needed, such as "-DNAME=ON", or empty.
inline std::string BuildCommand(std::string_view target, std::string_view setting = {}) {
  return fmt::format(
      "run in the project's folder: cmake {}{}BUILD && cmake --build BUILD --target {}; "
      "BUILD is the build folder, such as build/release; if deconv-cts is installed, install it again",
      setting, setting.empty() ? "" : " ", target);
}

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_TEXT_BUILD_COMMAND_H_
