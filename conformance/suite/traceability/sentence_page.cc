// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes the tables of oracle/sentences.md: a table for each document, and a table of the clauses with the sentences
// that they take up. Also writes the text of one sentence.

#include "conformance/suite/traceability/sentence_page.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/suite/measured_coverage/tested_clauses.h"

namespace conformance {
namespace {

using Text = std::back_insert_iterator<std::string>;

constexpr std::string_view kOpening = R"(<!-- SPDX-FileCopyrightText: the deconv-cts authors -->
<!-- SPDX-License-Identifier: Apache-2.0 -->
<!-- Written by: deconv-cts list --sentences -->

# Sentences

This page lists every sentence, table cell and formula of the five documents of the specification that says something.
For each of them it names the clauses that take it up and counts the cases that decide it. Use it to check that nothing
of the specification is left out. One sentence is shown with its cases by:

```console
$ deconv-cts explain --sentence CBD-28
...
```

## How to read the tables

- **line**: the line of the document's text. **quotation**: some exact words of this line.
- **kind**: what the suite demands.
  - **required**: what the sentence says.
  - **chosen**: one reading, since the sentence is ambiguous or contradicts another one.
  - **open**: a backend may refuse or compute.
  - **informative**: nothing, since the sentence states no rule.
- **clauses**: numbers of [clauses.md](clauses.md).
- **smoke**, **gate**, **full**: the number of cases at each level that decide at least one of the clauses. A case
  counts if it has the operator of the document and the dialect that follows the document. Words in parentheses behind a
  quotation name the topic of the sentence, such as an attribute. Then a valid operator counts only if the attribute
  has an effect in it, and a refusal counts only if it names the attribute. A sweep counts as one case.

A case decides a clause if its verdict depends on the clause:
[tested_clauses.h](../conformance/suite/measured_coverage/tested_clauses.h),
[decisions.h](../conformance/suite/traceability/decisions.h) and
[topic.h](../conformance/suite/traceability/topic.h) say this precisely.

`oracle/sentences/` holds the sentences. A test fails if a sentence has no clause or no case, if a clause has no case,
or if this page is not what `deconv-cts list --sentences` prints.
)";

/// Escapes text for a cell of a table. A quotation that Markdown would change is put between backquotes.
std::string Cell(std::string_view text) {
  const std::string_view fence = text.find("``") != std::string_view::npos  ? "```"
                                 : text.find('`') != std::string_view::npos ? "``"
                                                                            : "`";
  std::string cell(fence);
  if (text.starts_with('`')) cell += ' ';
  for (const char c : text) cell += c == '|' ? std::string("\\|") : std::string(1, c);
  if (text.ends_with('`')) cell += ' ';
  return cell.append(fence);
}

/// Writes the table of one document's sentences.
void WriteDocument(Text text, const oracle::Document& document, const std::vector<Decision>& decisions) {
  const DocumentDecisions of_document(document, decisions);
  fmt::format_to(text, "\n## {}: {}\n\n", document.name, document.title);
  fmt::format_to(text, "Operator {}, dialect `{}`.\n\n", OperatorKindName(document.kind),
                 DialectName(document.dialect));
  fmt::format_to(text, "| sentence | line | quotation | kind | clauses | smoke | gate | full |\n");
  fmt::format_to(text, "|---|---|---|---|---|---|---|---|\n");
  for (const oracle::Sentence& sentence : document.sentences) {
    const std::string topic = sentence.topic.empty() ? "" : fmt::format(" ({})", sentence.topic);
    fmt::format_to(text, "| {} | {} | {}{} | {} | {} |", sentence.id, sentence.line, Cell(sentence.quotation), topic,
                   RuleKindName(sentence.kind), sentence.clauses);
    const bool counted = std::ranges::any_of(oracle::Words(sentence.clauses),
                                             [](std::string_view clause) { return !IsUntestable(clause); });
    if (counted) {
      const CountByLevel count = CountByLevels(of_document.DecidingCases(sentence));
      fmt::format_to(text, " {} |\n", fmt::join(count, " | "));
    } else {
      fmt::format_to(text, " | | |\n");
    }
  }
}

/// A paragraph with lines of at most 120 characters.
std::string Paragraph(std::string_view text) {
  constexpr std::size_t kMostCharacters = 120;
  std::string paragraph;
  std::size_t length = 0;
  for (const std::string_view word : oracle::Words(text)) {
    const bool fits = length + 1 + word.size() <= kMostCharacters;
    if (length != 0) paragraph += fits ? ' ' : '\n';
    length = length != 0 && fits ? length + 1 + word.size() : word.size();
    paragraph += word;
  }
  return paragraph;
}

/// Writes the table of the clauses, and names the clauses without sentences and without cases.
void WriteClauses(Text text) {
  fmt::format_to(text, "\n## The clauses and their sentences\n\n| clause | kind | sentences |\n|---|---|---|\n");
  std::vector<std::string_view> untestable;
  std::vector<std::string_view> without;
  for (const oracle::Clause& clause : oracle::Clauses()) {
    std::vector<std::string_view> ids;
    for (const oracle::Document& document : oracle::Documents()) {
      for (const oracle::Sentence& sentence : document.sentences) {
        if (oracle::HasClause(sentence, clause.id)) ids.push_back(sentence.id);
      }
    }
    if (IsUntestable(clause.id)) untestable.push_back(clause.id);
    if (ids.empty()) {
      without.push_back(clause.id);
    } else {
      fmt::format_to(text, "| {} | {} | {} |\n", clause.id, RuleKindName(clause.kind), fmt::join(ids, " "));
    }
  }
  fmt::format_to(text, "\n{}\n",
                 Paragraph(fmt::format("The other clauses take up no sentence of the five documents. They rest on "
                                       "ConvTranspose of ONNX, on the code of a library, or on a reading: {}.",
                                       fmt::join(without, ", "))));
  fmt::format_to(
      text, "\n{}\n",
      Paragraph(fmt::format("No case can decide the clauses {}. "
                            "[tested_clauses.cc](../conformance/suite/measured_coverage/tested_clauses.cc) names the "
                            "reason for each of them.",
                            fmt::join(untestable, ", "))));
}

}  // namespace

std::string SentencePage(const std::vector<Decision>& decisions) {
  std::string page(kOpening);
  const Text text = std::back_inserter(page);
  for (const oracle::Document& document : oracle::Documents()) WriteDocument(text, document, decisions);
  WriteClauses(text);
  return page;
}

std::string SentenceText(const oracle::Sentence& sentence, const std::vector<Decision>& decisions, Level level,
                         std::size_t most) {
  std::string page;
  const Text text = std::back_inserter(page);
  const oracle::Document& document = *oracle::DocumentOf(sentence.id);
  fmt::format_to(text, "{}: {}, line {}, {}\n", sentence.id, document.title, sentence.line,
                 RuleKindName(sentence.kind));
  fmt::format_to(text, "  \"{}\"{}\n", sentence.quotation,
                 sentence.topic.empty() ? "" : fmt::format(" ({})", sentence.topic));
  const auto clauses = oracle::Words(sentence.clauses);
  if (clauses.empty()) {
    fmt::format_to(text, "it states no rule, so that no case decides it\n");
    return page;
  }
  fmt::format_to(text, "clauses\n");
  for (const std::string_view id : clauses) {
    const oracle::Clause* clause = oracle::FindClause(id);
    fmt::format_to(text, "  {:<4} {:<8} {}{}\n", id, clause == nullptr ? "" : RuleKindName(clause->kind),
                   clause == nullptr ? "" : clause->title, IsUntestable(id) ? " (no case can decide it)" : "");
  }
  if (std::ranges::all_of(clauses, IsUntestable)) return page + "no case can decide it\n";
  std::vector<const Decision*> deciding = DocumentDecisions(document, decisions).DecidingCases(sentence);
  const CountByLevel count = CountByLevels(deciding);
  fmt::format_to(text, "cases that decide it: {} at level smoke, {} at gate, {} at full\n", count[0], count[1],
                 count[2]);
  std::erase_if(deciding, [&](const Decision* decision) { return decision->level > level; });
  const std::size_t named = std::min(most, deciding.size());
  for (std::size_t i = 0; i < named; ++i) fmt::format_to(text, "  {}\n", deciding[i]->id);
  if (named < deciding.size()) {
    fmt::format_to(text, "  and {} more of level {}; see all with --most {}\n", deciding.size() - named,
                   LevelName(level), deciding.size());
  }
  return page;
}

}  // namespace conformance
