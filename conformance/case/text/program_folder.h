// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the folder of the running program. Files that are built or installed with it have fixed paths relative to it.

#ifndef DECONV_CONFORMANCE_CASE_TEXT_PROGRAM_FOLDER_H_
#define DECONV_CONFORMANCE_CASE_TEXT_PROGRAM_FOLDER_H_

#include <filesystem>
#include <system_error>

namespace conformance {

inline std::filesystem::path ProgramFolder() {
  std::error_code none;
  return std::filesystem::read_symlink("/proc/self/exe", none).parent_path();
}

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_TEXT_PROGRAM_FOLDER_H_
