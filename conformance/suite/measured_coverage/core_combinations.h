// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Counts the combinations of the four parameters that decide pads and sizes together (auto_pad, output shape,
// output_padding and groups) with one class of each other parameter.

#ifndef DECONV_CONFORMANCE_SUITE_MEASURED_COVERAGE_CORE_COMBINATIONS_H_
#define DECONV_CONFORMANCE_SUITE_MEASURED_COVERAGE_CORE_COMBINATIONS_H_

#include <cstdint>
#include <set>

#include "conformance/suite/covering/model.h"
#include "conformance/suite/measured_coverage/combinations.h"

namespace conformance {

class CoreCounter {
 public:
  CoreCounter(oracle::OperatorKind kind, oracle::Dialect dialect) : model_(ModelOf(kind, dialect)) {}

  void Add(const ClassRow& row);
  /// The combinations of five parameters; `missing` are those that no row had.
  CombinationCoverage Count() const;

 private:
  const Model& model_;
  std::set<std::uint64_t> seen_;
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_SUITE_MEASURED_COVERAGE_CORE_COMBINATIONS_H_
