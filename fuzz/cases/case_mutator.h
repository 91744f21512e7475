// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Changes case lines field by field. A valid case stays valid and small, and an invalid case stays invalid, unless the
// change is about validity.

#ifndef DECONV_FUZZ_CASES_CASE_MUTATOR_H_
#define DECONV_FUZZ_CASES_CASE_MUTATOR_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "conformance/case/field_changer.h"

namespace fuzz {

/// The line of words, divided by spaces, with which the inputs of some targets begin.
struct WordLine {
  std::string (*draw)(conformance::Random& random) = nullptr;  ///< a word; nullptr: an input is one case line
  std::size_t cases = 1;                                       ///< lines of cases after it
};

/// Each target of cases defines it.
extern const WordLine kWordLine;

/// Changes lines of cases. Equal seeds and equal calls give equal lines.
class CaseMutator {
 public:
  explicit CaseMutator(std::uint64_t seed) : changer_({}, seed) {}

  /// Returns another line. Nearly half of the cases are drawn anew; text that is no case line is replaced by a drawn
  /// case.
  std::string Mutate(std::string_view line);

  /// The first case with fields of the other one.
  std::string CrossOver(std::string_view one, std::string_view other);

  /// A case that no other one influences; one of four is spoiled.
  std::string Draw();

  /// An input with words: words, or one of the cases, are changed.
  std::string MutateLines(std::string_view input, const WordLine& words);

 private:
  conformance::Random& random() { return changer_.random(); }
  std::string Spoiled(const conformance::Case& from);
  std::string Changed(const conformance::Case& from, const conformance::Sketch* other);
  std::string MutateWords(std::string_view line, const WordLine& words);

  conformance::FieldChanger changer_;
};

}  // namespace fuzz

#endif  // DECONV_FUZZ_CASES_CASE_MUTATOR_H_
