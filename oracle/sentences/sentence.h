// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Gives access to the sentences of the specification of transposed convolution: every sentence, table cell and formula
// of five documents. Each sentence names the clauses that state its rule; a clause is a numbered rule of
// oracle/clauses.md. So a test can find a sentence that no rule takes up. Each document has a file in this folder.

#ifndef DECONV_ORACLE_SENTENCES_SENTENCE_H_
#define DECONV_ORACLE_SENTENCES_SENTENCE_H_

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "oracle/clause.h"
#include "oracle/dialect.h"

namespace oracle {

/// One sentence, table cell or formula of a document.
struct Sentence {
  std::string_view id;  ///< "CBD-17": the document's prefix and a number that never changes
  /// Line from 1, in the copy of the document's text from which the table was made. Other copies may have other lines;
  /// search them for the quotation.
  int line = 0;
  /// What the suite demands of a backend. kRequired: what the sentence says. kChosen: one reading, because the sentence
  /// is ambiguous or contradicts another one. kOpen: the backend may refuse the operator or compute it. kInformative:
  /// nothing, because the sentence states no rule.
  RuleKind kind = RuleKind::kInformative;
  std::string_view clauses = {};  ///< ids, separated by spaces; empty exactly for informative sentences
  /// The part of the operator that the sentence is about, such as "auto_pad absent"; or empty. The suite counts the
  /// cases of a sentence by it, so it is one of the topics in conformance/suite/traceability/topic.cc.
  std::string_view topic = {};
  std::string_view quotation = {};  ///< exact words of the line, by which a reader finds the sentence
};

/// One document, with its sentences.
struct Document {
  std::string_view prefix;  ///< prefix of the sentences' ids, "CBD2020"
  std::string_view name;    ///< how oracle/sentences.md names the document, "CBD (2020)"
  std::string_view title;
  OperatorKind kind;  ///< the operator that it describes
  Dialect dialect;    ///< the dialect (reading of the attributes) that follows the document
  std::span<const Sentence> sentences;
};

/// The five documents.
std::span<const Document> Documents();

/// The sentence with this id, or nullptr.
const Sentence* FindSentence(std::string_view id);
/// The document that the sentence with this id belongs to, or nullptr.
const Document* DocumentOf(std::string_view sentence_id);
/// The words of a list that is separated by spaces.
std::vector<std::string_view> Words(std::string_view list);
/// Whether one of the sentence's clauses is `clause`.
bool HasClause(const Sentence& sentence, std::string_view clause);

// The sentences of each document, in the order of its lines.
std::span<const Sentence> SentencesCbd2020();
std::span<const Sentence> SentencesCbdTranslated();
std::span<const Sentence> SentencesCbd();
std::span<const Sentence> SentencesGcbd();
std::span<const Sentence> SentencesCbw();

}  // namespace oracle

#endif  // DECONV_ORACLE_SENTENCES_SENTENCE_H_
