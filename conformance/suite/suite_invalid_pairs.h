// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// How suite `invalid` makes its pairs: an invalid operator and its nearest valid neighbour, in each dialect that speaks
// it.

#ifndef DECONV_CONFORMANCE_SUITE_SUITE_INVALID_PAIRS_H_
#define DECONV_CONFORMANCE_SUITE_SUITE_INVALID_PAIRS_H_

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/case/operator_draft.h"
#include "conformance/suite/suite.h"

namespace conformance {

/// Collects pairs for one operator kind and rank.
class InvalidPairs {
 public:
  InvalidPairs(oracle::OperatorKind kind, std::size_t rank, std::vector<SuiteCase>& cases);

  oracle::OperatorKind kind() const { return kind_; }
  bool openvino() const {
    return kind_ == oracle::OperatorKind::kConvolutionBackpropData ||
           kind_ == oracle::OperatorKind::kGroupConvolutionBackpropData;
  }
  std::size_t rank() const { return rank_; }
  const OperatorDraft& draft() const { return plan_; }
  oracle::Operator Base() const { return Build(plan_); }
  /// The operator with an output shape, in whatever form it has one.
  oracle::Operator WithOutput() const;

  /// The pair in each dialect of the operator. Where a library refuses the neighbour for reasons of its own, both get
  /// the sizes that it takes; what it refuses still, or before it comes to the fault, is left out.
  void Add(const std::string& name, std::string_view clause, const oracle::Operator& invalid,
           const oracle::Operator& valid);
  /// The pair in one dialect.
  void AddFor(oracle::Dialect dialect, const std::string& name, std::string_view clause,
              const oracle::Operator& invalid, const oracle::Operator& valid);

 private:
  /// The name under which the operator stands in the suite.
  std::string Push(std::string name, std::string reason, const oracle::Operator& op, oracle::Dialect dialect);

  oracle::OperatorKind kind_;
  std::size_t rank_;
  OperatorDraft plan_;
  std::vector<SuiteCase>& cases_;
  std::map<std::string, std::string> names_;  ///< by line
};

/// The base with one change.
template <typename Change>
oracle::Operator Changed(oracle::Operator op, Change change) {
  change(op);
  return op;
}

/// A valid operator in the spelling and with the sizes that a library takes: dst_shape as its forward convolution wants
/// it, no output_padding beyond the stride.
oracle::Operator FittedTo(oracle::Operator op, oracle::Dialect dialect);

/// What the dialects of libraries refuse beyond their documents (suite_invalid_libraries.cc).
void AddLibraryRefusals(InvalidPairs& pairs);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_SUITE_SUITE_INVALID_PAIRS_H_
