// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes new inputs for the fuzzing engine (libFuzzer) by changing case lines field by field. A case line is the text of
// an operator with its values. Changes of bytes would hardly ever give a line that parses. A valid case stays valid and
// small, unless it is corrupted, that is, made invalid on purpose: backends must refuse invalid operators.

#ifndef DECONV_FUZZ_CASES_CASE_MUTATOR_H_
#define DECONV_FUZZ_CASES_CASE_MUTATOR_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "conformance/case/field_changer.h"

namespace fuzz {

/// The form of an input. The inputs of most targets are one case line. Those of others begin with a line of words, such
/// as the steps "create:0 run:0" that the target runs, and go on with case lines.
struct InputForm {
  std::string (*draw_word)(conformance::Random& random) = nullptr;  ///< draws a word; null: an input is one case line
  std::size_t cases = 1;                                            ///< number of case lines after the words
};

/// The form of this program's inputs. Each fuzz target that takes cases defines it.
extern const InputForm kInputForm;

/// Makes new case lines at random. Equal seeds and equal calls give equal lines.
class CaseMutator {
 public:
  explicit CaseMutator(std::uint64_t seed) : changer_({}, seed) {}

  /// Returns another case line: nearly half of the time a new one (Draw), else `line` changed or corrupted. For a text
  /// that is no case line it always draws a new one.
  std::string Mutate(std::string_view line);

  /// Returns the line `one` with some fields of the line `other`. If that is impossible, mutates `one`.
  std::string CrossOver(std::string_view one, std::string_view other);

  /// Draws a new case, independent of earlier ones. One of four is corrupted.
  std::string Draw();

  /// Mutates an input of this form: either its words or one of its cases.
  std::string MutateLines(std::string_view input, const InputForm& form);

 private:
  conformance::Random& random() { return changer_.random(); }
  /// The line of `from` after a change that usually makes it invalid.
  std::string Corrupted(const conformance::Case& from);
  /// The line of `from` after changes of one to six fields. They are copied from `other`, or changed at random if
  /// `other` is null. A sketch is a case as plain fields, such as the stride of an axis.
  std::string Changed(const conformance::Case& from, const conformance::Sketch* other);
  /// The words of an input after one to four insertions, removals, replacements or exchanges.
  std::string MutateWords(std::string_view line, const InputForm& form);

  conformance::FieldChanger changer_;
};

}  // namespace fuzz

#endif  // DECONV_FUZZ_CASES_CASE_MUTATOR_H_
