// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Joins the faults that run in this process, and compares their answers with those of the backend.

#include "fuzz/findings/joined_faults.h"

#include <algorithm>
#include <iterator>

#include "conformance/diagnosis/similarity.h"

namespace fuzz {
namespace {

std::vector<const JoinedFaults::Fault*> FaultsOfThisProcess(std::span<const JoinedFaults::Fault* const> faults) {
  std::vector<const JoinedFaults::Fault*> here;
  std::ranges::copy_if(faults, std::back_inserter(here),
                       [](const JoinedFaults::Fault* fault) { return !conformance::Hypothesis(*fault).NeedsWorker(); });
  return here;
}

}  // namespace

JoinedFaults::JoinedFaults(std::span<const Fault* const> faults)
    : joined_(FaultsOfThisProcess(faults)),
      combined_(std::make_unique<conformance::faults::CombinedFault>(joined_)),
      hypothesis_(combined_->fault()) {
  for (const auto& left_out : combined_->left_out()) std::erase(joined_, left_out.fault);
  is_complete_ = joined_.size() == faults.size();
}

std::vector<std::pair<std::string_view, std::string_view>> JoinedFaults::apart() const {
  std::vector<std::pair<std::string_view, std::string_view>> names;
  for (const auto& [fault, beside] : combined_->left_out()) names.emplace_back(fault->name, beside->name);
  return names;
}

bool JoinedFaults::Has(const Fault& fault) const { return std::ranges::find(joined_, &fault) != joined_.end(); }

bool JoinedFaults::GivesAnswerOf(const conformance::Trial& trial, const conformance::Capabilities& declared) {
  return ReproductionOf(trial, hypothesis_, declared) != conformance::Similarity::kNone;
}

}  // namespace fuzz
