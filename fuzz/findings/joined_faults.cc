// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Joins planted faults, known defects of a test backend, as far as they can run in this process. Compares their answers
// with those of the backend under test.

#include "fuzz/findings/joined_faults.h"

#include <algorithm>
#include <iterator>

#include "conformance/diagnosis/similarity.h"

namespace fuzz {
namespace {

/// The faults that do not need a process of their own, a worker. A fault needs one if it may crash, for example.
std::vector<const JoinedFaults::Fault*> WithoutWorker(std::span<const JoinedFaults::Fault* const> faults) {
  std::vector<const JoinedFaults::Fault*> without_worker;
  std::ranges::copy_if(faults, std::back_inserter(without_worker),
                       [](const JoinedFaults::Fault* fault) { return !conformance::Hypothesis(*fault).NeedsWorker(); });
  return without_worker;
}

}  // namespace

JoinedFaults::JoinedFaults(std::span<const Fault* const> faults)
    : joined_(WithoutWorker(faults)),
      combined_(std::make_unique<conformance::faults::CombinedFault>(joined_)),
      hypothesis_(combined_->fault()) {
  // CombinedFault got all faults that need no process, and left out those that change the same step.
  for (const auto& left_out : combined_->left_out()) std::erase(joined_, left_out.fault);
  is_complete_ = joined_.size() == faults.size();
}

std::vector<std::pair<std::string_view, std::string_view>> JoinedFaults::conflicts() const {
  std::vector<std::pair<std::string_view, std::string_view>> names;
  for (const auto& [fault, beside] : combined_->left_out()) names.emplace_back(fault->name, beside->name);
  return names;
}

bool JoinedFaults::Has(const Fault& fault) const { return std::ranges::find(joined_, &fault) != joined_.end(); }

bool JoinedFaults::GivesAnswerOf(const conformance::Trial& trial, const conformance::Capabilities& declared) {
  return ReproductionOf(trial, hypothesis_, declared) != conformance::Similarity::kNone;
}

}  // namespace fuzz
