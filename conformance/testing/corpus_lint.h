// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks that the layers of networks and the specification's examples of the corpus follow the rules of
// corpus/README.md.

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
