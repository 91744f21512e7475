// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// A hypothesis: a planted fault (a backend with one known defect) that may explain failures. It tells what a backend
// with this fault would answer to a case.

#ifndef DECONV_CONFORMANCE_DIAGNOSIS_HYPOTHESIS_H_
#define DECONV_CONFORMANCE_DIAGNOSIS_HYPOTHESIS_H_

#include <cstddef>
#include <memory>
#include <string>

#include "conformance/diagnosis/observing_judge.h"
#include "conformance/diagnosis/prepared_case.h"
#include "conformance/diagnosis/similarity.h"
#include "conformance/mutants/faults/fault.h"

namespace conformance {

class Hypothesis {
 public:
  explicit Hypothesis(const faults::Fault& fault) : fault_(&fault) {}

  const faults::Fault& fault() const { return *fault_; }
  std::string BackendName() const;

  /// Whether the fault may end its process, touch foreign memory, or remember earlier calls. Such a fault runs in a
  /// worker (a process of its own), on the whole sequence of cases that the backend ran.
  bool NeedsWorker() const;

  /// Whether the fault changes only output values: no sizes, no refusals, no other memory. Such a fault is tried only
  /// on failures with wrong outputs.
  bool OnlyChangesValues() const;

  /// Runs the case with the fault in this process, with an output buffer full of `poison`. Not for a fault that needs a
  /// worker.
  Call Run(const PreparedCase& prepared, std::byte poison);

 private:
  const faults::Fault* fault_;
  std::unique_ptr<Backend> backend_;  ///< opened when first run
};

/// Compares a hypothesis that needs no worker with the backend in every call of a trial. Returns the least similarity.
Similarity ReproductionOf(const Trial& trial, Hypothesis& hypothesis, const Capabilities& declared);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_DIAGNOSIS_HYPOTHESIS_H_
