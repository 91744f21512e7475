// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tells which classes of the covering array's parameters all operators of some failures share.

#ifndef DECONV_CONFORMANCE_DIAGNOSIS_COMMON_FEATURES_H_
#define DECONV_CONFORMANCE_DIAGNOSIS_COMMON_FEATURES_H_

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "conformance/suite/measured_coverage/classify.h"
#include "conformance/verdict/result.h"

namespace conformance {

class CommonFeatures {
 public:
  explicit CommonFeatures(std::span<const CaseResult> results) : results_(results) {}

  /// At most three classes that all failures have and fewer than half of the passing cases: "auto_pad=valid, rank=5".
  /// Empty if there are none, or if there is only one failure. `failures`: indices of results.
  std::string Of(const std::vector<std::size_t>& failures);

 private:
  double ShareOfPasses(Parameter parameter, std::uint8_t value);

  std::span<const CaseResult> results_;
  std::optional<std::vector<ClassRow>> passes_;  ///< found when first needed
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_DIAGNOSIS_COMMON_FEATURES_H_
