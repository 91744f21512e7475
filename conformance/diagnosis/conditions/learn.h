// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Learns from labelled rows the smallest conjunctions that are true of the failures and of hardly any pass: a beam
// search over statements, and one conjunction after the other until the failures are covered.

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

/// The conjunction that covers most failures first. Empty if nothing separates failures from passes.
/// `names`: of the features of the whole row; rows without axes have none of these.
std::vector<Conjunction> Learn(std::span<const LabelledRow> rows, const FeatureTable& names, const LearnLimits& limits);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_DIAGNOSIS_CONDITIONS_LEARN_H_
