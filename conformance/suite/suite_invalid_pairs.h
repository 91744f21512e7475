// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// How suite `invalid` makes its pairs: an invalid operator and its nearest valid neighbour, in each dialect that has
// the operator.

#ifndef DECONV_CONFORMANCE_SUITE_SUITE_INVALID_PAIRS_H_
#define DECONV_CONFORMANCE_SUITE_SUITE_INVALID_PAIRS_H_

#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "conformance/case/operator_draft.h"
#include "conformance/suite/suite_builder.h"

namespace conformance {

/// Collects pairs for one operator kind and rank.
class InvalidPairs {
 public:
  InvalidPairs(oracle::OperatorKind kind, std::size_t rank, SuiteBuilder& suite);

  oracle::OperatorKind kind() const { return kind_; }
  bool openvino() const {
    return kind_ == oracle::OperatorKind::kConvolutionBackpropData ||
           kind_ == oracle::OperatorKind::kGroupConvolutionBackpropData;
  }
  std::size_t rank() const { return rank_; }
  const OperatorDraft& draft() const { return draft_; }
  oracle::Operator Base() const { return Build(draft_); }
  /// The operator with an output shape, as input or as attribute.
  oracle::Operator WithOutput() const;

  /// The pair in each dialect of the operator. If a library refuses the neighbour for reasons of its own, both
  /// operators get sizes that the library takes. Pairs that it still refuses, or refuses for another reason, are left
  /// out.
  void Add(const std::string& name, std::string_view clause, const oracle::Operator& invalid,
           const oracle::Operator& valid);
  /// The pair in one dialect.
  void AddFor(oracle::Dialect dialect, const std::string& name, std::string_view clause,
              const oracle::Operator& invalid, const oracle::Operator& valid);

 private:
  /// Adds the operator unless it is known. Returns the name of the case that has it.
  std::string Push(std::string name, std::string reason, const oracle::Operator& op, oracle::Dialect dialect);

  oracle::OperatorKind kind_;
  std::size_t rank_;
  OperatorDraft draft_;
  SuiteBuilder& suite_;
  std::map<std::string, std::string> names_;  ///< by line
};

/// The base with one change.
template <typename Change>
oracle::Operator Changed(oracle::Operator op, Change change) {
  change(op);
  return op;
}

/// A valid operator with the spelling and the sizes that a library takes: dst_shape fits its forward convolution, and
/// output_padding is less than the stride.
oracle::Operator FittedTo(oracle::Operator op, oracle::Dialect dialect);

/// What the dialects of libraries refuse beyond their documents (suite_invalid_libraries.cc).
void AddLibraryRefusals(InvalidPairs& pairs);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_SUITE_SUITE_INVALID_PAIRS_H_
