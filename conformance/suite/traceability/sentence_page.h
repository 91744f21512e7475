// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes the page oracle/sentences.md, which lists every sentence of the specification with the clauses (numbered
// rules) that take it up and the number of cases that test it. Also writes the text of one sentence for the command
// line.

#ifndef DECONV_CONFORMANCE_SUITE_TRACEABILITY_SENTENCE_PAGE_H_
#define DECONV_CONFORMANCE_SUITE_TRACEABILITY_SENTENCE_PAGE_H_

#include <string>
#include <vector>

#include "conformance/suite/traceability/decisions.h"

namespace conformance {

/// The whole page in Markdown. `decisions` must be those of level full.
std::string SentencePage(const std::vector<Decision>& decisions);

/// The text of `explain --sentence`: the sentence, its clauses, and the number of cases at each level. It names the
/// cases of `level` that decide the sentence, at most `most` of them.
std::string SentenceText(const oracle::Sentence& sentence, const std::vector<Decision>& decisions, Level level,
                         std::size_t most);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_SUITE_TRACEABILITY_SENTENCE_PAGE_H_
