// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the files of corpus/regressions: each file is one class of real bugs, with the cases that show it
// (corpus/README.md).

#ifndef DECONV_CONFORMANCE_SUITE_REGRESSION_FILE_H_
#define DECONV_CONFORMANCE_SUITE_REGRESSION_FILE_H_

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "conformance/suite/suite.h"

namespace conformance {

struct Regression {
  std::string name;  ///< unique in its file
  Case test_case;
  std::vector<std::string> seen;  ///< links to the reports
  std::string why;                ///< one sentence
  Level level = Level::kSmoke;    ///< the least that runs it
  std::string refused;            ///< the clause that refuses the operator; empty if it is valid
};

struct RegressionFile {
  std::string defect;  ///< one sentence
  std::vector<Regression> cases;
};

/// "FILE:LINE: what was found, what was expected" if it is not as corpus/README.md says.
std::variant<RegressionFile, ReadError> ReadRegressionFile(const std::filesystem::path& path);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_SUITE_REGRESSION_FILE_H_
