// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the files of corpus/regressions: each file is one class of real bugs of libraries, with the cases (operators to
// test) that show it. corpus/README.md describes the format. Suite `regressions` runs the cases on every backend.

#ifndef DECONV_CONFORMANCE_SUITE_REGRESSION_FILE_H_
#define DECONV_CONFORMANCE_SUITE_REGRESSION_FILE_H_

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "conformance/suite/suite.h"

namespace conformance {

/// One case of a file.
struct Regression {
  std::string name;  ///< unique within the file
  Case test_case;
  std::vector<std::string> seen;  ///< links to reports of the bug
  std::string why;                ///< one sentence: why this case shows the bug
  Level level = Level::kSmoke;    ///< the lowest level that runs the case
  std::string refused;            ///< clause (numbered rule) that refuses the operator; empty if it is valid
};

/// The content of a file.
struct RegressionFile {
  std::string defect;  ///< one sentence about the class of bugs
  std::vector<Regression> cases;
};

/// Reads a file in the format of corpus/README.md. The error is "FILE:LINE: what was found, what was expected".
std::variant<RegressionFile, ReadError> ReadRegressionFile(const std::filesystem::path& path);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_SUITE_REGRESSION_FILE_H_
