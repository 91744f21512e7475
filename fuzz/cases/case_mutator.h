// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Mutates case lines for the fuzzing engine, field by field. A valid case stays valid and small, and an invalid case
// stays invalid, unless the mutation corrupts a case, that is, makes it invalid on purpose.

#ifndef DECONV_FUZZ_CASES_CASE_MUTATOR_H_
#define DECONV_FUZZ_CASES_CASE_MUTATOR_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "conformance/case/field_changer.h"

namespace fuzz {

/// The form of an input. The inputs of some targets begin with a line of words, such as "create:0 run:0", and go on
/// with case lines.
struct InputForm {
  std::string (*draw_word)(conformance::Random& random) = nullptr;  ///< null: an input is one case line, without words
  std::size_t cases = 1;                                            ///< number of case lines after the words
};

/// The form of this program's inputs. Each case target defines it.
extern const InputForm kInputForm;

/// Changes lines of cases. Equal seeds and equal calls give equal lines.
class CaseMutator {
 public:
  explicit CaseMutator(std::uint64_t seed) : changer_({}, seed) {}

  /// Returns another case line. Nearly half of the results are drawn anew, and so is the result for a text that is no
  /// case line.
  std::string Mutate(std::string_view line);

  /// Returns the first case with some fields of the other one.
  std::string CrossOver(std::string_view one, std::string_view other);

  /// Draws a new case. One of four is corrupted.
  std::string Draw();

  /// Mutates an input of this form: either its words or one of its cases.
  std::string MutateLines(std::string_view input, const InputForm& form);

 private:
  conformance::Random& random() { return changer_.random(); }
  /// The line of `from` after a change that usually makes it invalid.
  std::string Corrupted(const conformance::Case& from);
  /// The line of `from` after changes of one to six fields, which are copied from `other` unless that is null. A sketch
  /// holds the fields of a case whose ranks agree.
  std::string Changed(const conformance::Case& from, const conformance::Sketch* other);
  std::string MutateWords(std::string_view line, const InputForm& form);

  conformance::FieldChanger changer_;
};

}  // namespace fuzz

#endif  // DECONV_FUZZ_CASES_CASE_MUTATOR_H_
