// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes questions: new cases about which the search for a condition asks the backend. Some lie inside of the condition
// (it is true of them), some violate one statement of it, and some are others.

#ifndef DECONV_CONFORMANCE_DIAGNOSIS_CONDITIONS_QUESTION_MAKER_H_
#define DECONV_CONFORMANCE_DIAGNOSIS_CONDITIONS_QUESTION_MAKER_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "conformance/diagnosis/conditions/condition.h"
#include "conformance/diagnosis/conditions/training_set.h"

namespace conformance {

/// A new case, and whether it fails by the condition.
struct Question {
  TrainingRow row;
  bool predicted = false;
};

class QuestionMaker {
 public:
  /// `questions`: how many the search may ask in all. `late`: whether the search must end.
  QuestionMaker(TrainingSet& training_set, const Condition& condition, std::size_t questions,
                const std::function<bool()>& late);

  /// Lets new cases have numbers at which they test the statements of the condition. Call it when these change.
  void PreferNumbersOfStatements();

  /// Cases inside of an alternative that have a simple value which no known case inside has, or lack one that all have.
  /// Nothing else shows whether this value matters.
  std::vector<Question> UntriedCases();

  /// The probes of each alternative: a fixed set of changes of its smallest failures (ProbesOf). So the numbers that
  /// are tried do not hang on chance. At most an eighth of the budget, divided among the alternatives. Then a quarter
  /// as many cases with coincidences (ImposeCoincidence).
  std::vector<Question> Probes();

  /// The questions of a round, with the condition's prediction. At most 24 of each kind, fewer if the budget is small.
  std::vector<Question> NextCases();

 private:
  void AddNumbers(const Term& term, std::vector<std::int64_t>& numbers) const;
  std::size_t Statements() const;
  std::optional<std::pair<std::size_t, std::size_t>> OnlyViolated(const FeatureRow& row) const;
  std::vector<Question> CasesOfLargeNumbers(const std::vector<std::size_t>& inside, bool of_values);
  std::vector<Question> CasesOfSimpleFields(const std::vector<std::size_t>& inside, bool of_values);
  void AddCoincidences(std::vector<Question>& questions);

  TrainingSet& training_set_;
  const Condition& condition_;
  const std::function<bool()>& late_;
  std::size_t of_round_;
  std::size_t most_probes_;                              ///< of an alternative
  std::map<std::int64_t, std::size_t> of_large_number_;  ///< questions with this number
  std::size_t next_change_ = 0;                          ///< the change of a simple field that is tried next
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_DIAGNOSIS_CONDITIONS_QUESTION_MAKER_H_
