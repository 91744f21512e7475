// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Joins planted faults, known defects of a test backend, to one hypothesis. A case on which several defects of a
// backend act gets an answer that no single fault gives.

#ifndef DECONV_FUZZ_FINDINGS_JOINED_FAULTS_H_
#define DECONV_FUZZ_FINDINGS_JOINED_FAULTS_H_

#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/diagnosis/hypothesis.h"
#include "conformance/mutants/faults/combined_fault.h"

namespace fuzz {

/// A backend in this process with several planted faults.
class JoinedFaults {
 public:
  using Fault = conformance::faults::Fault;

  /// Joins the faults in their order, as far as possible. A fault is left out if it changes the same step of the
  /// computation as an earlier one, or if it needs a process of its own.
  explicit JoinedFaults(std::span<const Fault* const> faults);

  /// Whether no fault was left out.
  bool complete() const { return is_complete_; }
  /// The names of faults that were left out, and of the faults beside them that change the same step.
  std::vector<std::pair<std::string_view, std::string_view>> apart() const;
  bool Has(const Fault& fault) const;
  /// Whether the joined faults give the backend's answer to the trial.
  bool Give(const conformance::Trial& trial, const conformance::Capabilities& declared);
  conformance::Hypothesis& hypothesis() { return hypothesis_; }

 private:
  std::vector<const Fault*> joined_;
  std::unique_ptr<conformance::faults::CombinedFault> combined_;
  conformance::Hypothesis hypothesis_;
  bool is_complete_ = true;
};

}  // namespace fuzz

#endif  // DECONV_FUZZ_FINDINGS_JOINED_FAULTS_H_
