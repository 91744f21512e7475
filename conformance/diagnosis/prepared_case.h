// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// A case that is prepared for hypotheses (backends with a known defect) in this process: its tensors and the right
// outputs.

#ifndef DECONV_CONFORMANCE_DIAGNOSIS_PREPARED_CASE_H_
#define DECONV_CONFORMANCE_DIAGNOSIS_PREPARED_CASE_H_

#include <cstddef>
#include <memory>
#include <vector>

#include "conformance/case/case.h"
#include "conformance/interface/backend.h"
#include "conformance/verdict/compare.h"
#include "oracle/resolve.h"

namespace conformance {

struct PreparedCase {
  Case test_case;
  oracle::Dialect dialect = oracle::Dialect::kOpenvinoSpec;
  oracle::Resolution resolution;
  std::vector<std::byte> data;
  std::vector<std::byte> filter;
  std::unique_ptr<Expected> expected;  ///< absent if the dialect refuses the operator

  bool valid() const { return resolution.ok(); }
  const oracle::Geometry& geometry() const { return *resolution.geometry; }
};

/// The most products and outputs of a prepared case. Hundreds of hypotheses run as plain loops, so larger cases would
/// take too long.
inline constexpr double kMostPreparedProducts = 50'000;
inline constexpr std::int64_t kMostPreparedOutputs = 20'000;

/// The most positions of a prepared case. Some faults walk every position between two taps, for every output. So the
/// outputs may be few with taps far apart, or many with taps close together.
inline constexpr double kMostPreparedPositions = 2e7;

/// Returns nullptr for a sweep, a law, a case above these limits, or a case that `declared` does not cover.
std::unique_ptr<PreparedCase> PrepareCase(const Case& test_case, const Capabilities& declared);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_DIAGNOSIS_PREPARED_CASE_H_
