// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Holds the table of the five documents that specify the operators. Each of their sentences has an id, such as CBD-17,
// which begins with the prefix of the document. The file finds a sentence and its document by this id.

#include "oracle/sentences/sentence.h"

#include <algorithm>
#include <array>

namespace oracle {

std::span<const Document> Documents() {
  static const std::array documents = {
      Document{"CBD2020", "CBD (2020)", "ConvolutionBackpropData-1 of OpenVINO, the version of 2020",
               OperatorKind::kConvolutionBackpropData, Dialect::kOpenvinoSpec, SentencesCbd2020()},
      Document{"CBDT", "CBD (translated)",
               "ConvolutionBackpropData-1 of OpenVINO, a Japanese translation of the version after that of 2020",
               OperatorKind::kConvolutionBackpropData, Dialect::kOpenvinoSpec, SentencesCbdTranslated()},
      Document{"CBD", "CBD", "ConvolutionBackpropData-1 of OpenVINO, the version after that of 2020",
               OperatorKind::kConvolutionBackpropData, Dialect::kOpenvinoSpec, SentencesCbd()},
      Document{"GCBD", "GCBD", "GroupConvolutionBackpropData-1 of OpenVINO",
               OperatorKind::kGroupConvolutionBackpropData, Dialect::kOpenvinoSpec, SentencesGcbd()},
      Document{"CBW", "CBW", "ConvolutionBackwardData of oneDNN Graph", OperatorKind::kConvolutionBackwardData,
               Dialect::kOnednnSpec, SentencesCbw()},
  };
  return documents;
}

const Document* DocumentOf(std::string_view sentence_id) {
  const std::string_view prefix = sentence_id.substr(0, sentence_id.find('-'));
  const auto found = std::ranges::find(Documents(), prefix, &Document::prefix);
  return found == Documents().end() ? nullptr : &*found;
}

const Sentence* FindSentence(std::string_view id) {
  const Document* document = DocumentOf(id);
  if (document == nullptr) return nullptr;
  const auto found = std::ranges::find(document->sentences, id, &Sentence::id);
  return found == document->sentences.end() ? nullptr : &*found;
}

std::vector<std::string_view> Words(std::string_view list) {
  std::vector<std::string_view> words;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(' '), list.size());
    if (end != 0) words.push_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return words;
}

bool HasClause(const Sentence& sentence, std::string_view clause) {
  return std::ranges::count(Words(sentence.clauses), clause) != 0;
}

}  // namespace oracle
