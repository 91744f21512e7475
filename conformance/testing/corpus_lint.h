// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks the rules that corpus/README.md sets for the corpus.

#ifndef DECONV_CONFORMANCE_TESTING_CORPUS_LINT_H_
#define DECONV_CONFORMANCE_TESTING_CORPUS_LINT_H_

#include <filesystem>
#include <string>
#include <vector>

namespace conformance {

/// One line for each breach of a rule in the folders spec/, layers/ and invalid/ below `root`; empty if there is none.
/// `scratch` is a folder that files may be written to.
std::vector<std::string> LintCorpus(const std::filesystem::path& root, const std::filesystem::path& scratch);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_TESTING_CORPUS_LINT_H_
