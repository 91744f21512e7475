// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Explains failures that have no cause yet by one of the causes that were found, or by two or three of them together.

#ifndef DECONV_FUZZ_CAMPAIGN_FAULT_COMBINATIONS_H_
#define DECONV_FUZZ_CAMPAIGN_FAULT_COMBINATIONS_H_

#include <cstddef>
#include <string>
#include <vector>

#include "conformance/diagnosis/hypothesis.h"
#include "conformance/suite/suite.h"

namespace fuzz {

class Combinations {
 public:
  /// `causes`: a planted fault for each cause, by name.
  Combinations(const std::vector<std::string>& causes, const std::string& backend,
               const conformance::JudgeLimits& limits);

  /// The indices of the causes that together give the backend's answer to the case. Empty if none do, or if the case
  /// cannot be tried here.
  std::vector<std::size_t> Explaining(const conformance::SuiteCase& suite_case);

 private:
  struct Combination {
    std::vector<std::size_t> causes;
    conformance::Hypothesis hypothesis;
  };

  conformance::ObservingJudge judge_;
  bool started_ = false;
  std::vector<Combination> combinations_;
};

}  // namespace fuzz

#endif  // DECONV_FUZZ_CAMPAIGN_FAULT_COMBINATIONS_H_
