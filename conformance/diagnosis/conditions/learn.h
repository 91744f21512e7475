// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Learns a condition from labelled rows: the smallest conjunctions of statements that are true of the failures and of
// hardly any pass. A beam search finds one conjunction; it is repeated until the conjunctions cover the failures. A row
// holds the features of a case, such as its stride; the label says whether the case fails.

#ifndef DECONV_CONFORMANCE_DIAGNOSIS_CONDITIONS_LEARN_H_
#define DECONV_CONFORMANCE_DIAGNOSIS_CONDITIONS_LEARN_H_

#include <cstddef>
#include <span>
#include <vector>

#include "conformance/diagnosis/conditions/condition.h"

namespace conformance {

struct LabelledRow {
  const FeatureRow* row = nullptr;
  bool fails = false;
};

struct LearnLimits {
  std::size_t alternatives = 4;
  std::size_t terms = 5;  ///< of a conjunction
  std::size_t beam = 16;
  bool without_values = false;  ///< no statements about values
};

/// Returns the conjunctions; the first one covers the most failures. Empty if nothing separates failures from passes.
/// `names`: the names of all features of a row. If no row has axes, the names of axis features are not used.
std::vector<Conjunction> Learn(std::span<const LabelledRow> rows, const FeatureTable& names, const LearnLimits& limits);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_DIAGNOSIS_CONDITIONS_LEARN_H_
