// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// For a test: checks that the corpus, the folder of cases that people have collected, follows the rules of
// corpus/README.md. It has layers of networks and examples of the specification.

#ifndef DECONV_CONFORMANCE_TESTING_CORPUS_LINT_H_
#define DECONV_CONFORMANCE_TESTING_CORPUS_LINT_H_

#include <filesystem>
#include <string>
#include <vector>

namespace conformance {

/// Returns one line for each violation of a rule in spec/ and layers.txt below `root`. `scratch` is a folder for
/// temporary files.
std::vector<std::string> LintCorpus(const std::filesystem::path& root, const std::filesystem::path& scratch);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_TESTING_CORPUS_LINT_H_
