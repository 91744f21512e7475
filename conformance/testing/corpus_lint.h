// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks that the files of the corpus, which is the folder of layers from models and specifications, follow the rules
// of corpus/README.md.

#ifndef DECONV_CONFORMANCE_TESTING_CORPUS_LINT_H_
#define DECONV_CONFORMANCE_TESTING_CORPUS_LINT_H_

#include <filesystem>
#include <string>
#include <vector>

namespace conformance {

/// Returns one line for each violation of a rule in the folders spec/ and layers/ below `root`. `scratch` is a folder
/// for temporary files.
std::vector<std::string> LintCorpus(const std::filesystem::path& root, const std::filesystem::path& scratch);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_TESTING_CORPUS_LINT_H_
