// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Joins planted faults into one test backend. A planted fault is a known defect that a test backend has on purpose. It
// explains a failure of the backend under test if it gives the same wrong answer. If two defects of that backend act on
// a case, no single planted fault gives its answer, but two that are joined may.

#ifndef DECONV_FUZZ_FINDINGS_JOINED_FAULTS_H_
#define DECONV_FUZZ_FINDINGS_JOINED_FAULTS_H_

#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/diagnosis/hypothesis.h"
#include "conformance/mutants/faults/fault.h"

namespace fuzz {

/// A backend in this process with several planted faults.
class JoinedFaults {
 public:
  using Fault = conformance::faults::Fault;

  /// Joins the faults in their order, as far as possible. A fault is left out if it changes the same step of the
  /// computation as an earlier one. For example, both choose other filter elements for an output. A fault is also left
  /// out if it needs a process of its own.
  explicit JoinedFaults(std::span<const Fault* const> faults);

  /// Whether no fault was left out.
  bool is_complete() const { return is_complete_; }
  /// For each fault that was left out because an earlier fault changes the same step: its name and the name of that
  /// earlier fault. Faults that need a process of their own are not listed.
  std::vector<std::pair<std::string_view, std::string_view>> conflicts() const;
  /// Whether the fault is one of the joined faults.
  bool Has(const Fault& fault) const;
  /// Whether the joined faults give the backend's answer in the trial. A trial is a case with the answer of the backend
  /// under test. `declared`: what that backend declares to support.
  bool GivesAnswerOf(const conformance::Trial& trial, const conformance::Capabilities& declared);
  /// The joined faults as one hypothesis, a test backend that may explain failures.
  conformance::Hypothesis& hypothesis() { return hypothesis_; }

 private:
  std::vector<const Fault*> joined_;                              ///< those that were not left out
  std::unique_ptr<conformance::faults::CombinedFault> combined_;  ///< one fault that does what all of joined_ do
  conformance::Hypothesis hypothesis_;                            ///< the test backend with the fault of combined_
  bool is_complete_ = true;
};

}  // namespace fuzz

#endif  // DECONV_FUZZ_FINDINGS_JOINED_FAULTS_H_
