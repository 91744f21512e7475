// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// How the suites `invalid` and `open` make their cases from one table of faults: an operator with a fault and its
// simplest valid neighbour, in each dialect that has the operator.

#ifndef DECONV_CONFORMANCE_SUITE_SUITE_INVALID_PAIRS_H_
#define DECONV_CONFORMANCE_SUITE_SUITE_INVALID_PAIRS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "conformance/case/operator_draft.h"
#include "conformance/suite/suite_builder.h"
#include "oracle/resolve.h"

namespace conformance {

/// The faulty operators that a suite wants, dialect by dialect.
enum class FaultyOperators {
  kRefused,  ///< operators that the dialect refuses, each with its valid neighbour
  kOpen,     ///< operators that the dialect leaves open or undefined
};

/// Collects the cases for one operator kind, rank and number of groups.
class InvalidPairs {
 public:
  /// `groups`: of the valid operators. Some libraries compute GroupConvolutionBackpropData with one group only, others
  /// with several only.
  InvalidPairs(oracle::OperatorKind kind, std::size_t rank, std::int64_t groups, FaultyOperators wanted,
               SuiteBuilder& suite);

  oracle::OperatorKind kind() const { return kind_; }
  bool openvino() const {
    return kind_ == oracle::OperatorKind::kConvolutionBackpropData ||
           kind_ == oracle::OperatorKind::kGroupConvolutionBackpropData;
  }
  std::size_t rank() const { return rank_; }
  const OperatorDraft& draft() const { return draft_; }
  oracle::Operator Base() const { return Build(draft_); }
  /// The operator with its natural size as output shape: as input or as attribute.
  oracle::Operator WithOutput(std::optional<AutoPad> auto_pad = std::nullopt) const;
  /// The positions of the first spatial axis and of the channels in the operator's tensors.
  std::size_t first_spatial() const { return draft_.IsNxc() ? 1 : 2; }
  std::size_t channels_at() const { return draft_.IsNxc() ? rank_ + 1 : 1; }
  std::size_t first_kernel_axis() const;

  /// The pair in each dialect of the operator. If a library refuses the neighbour for reasons of its own, both
  /// operators get sizes that the library takes. Pairs that it still refuses, or refuses for another reason, are left
  /// out, and so are dialects that do not expect what the suite wants.
  void Add(const std::string& name, std::string_view clause, const oracle::Operator& invalid,
           const oracle::Operator& valid);
  /// The pair in one dialect.
  void AddFor(oracle::Dialect dialect, const std::string& name, std::string_view clause,
              const oracle::Operator& invalid, const oracle::Operator& valid);

 private:
  /// Adds the operator unless it is known. Returns the name of the case that has it.
  std::string Push(std::string name, std::string reason, const oracle::Operator& op, oracle::Dialect dialect,
                   const std::optional<oracle::Operator>& neighbour);

  oracle::OperatorKind kind_;
  std::size_t rank_;
  FaultyOperators wanted_;
  OperatorDraft draft_;
  SuiteBuilder& suite_;
  std::map<std::string, std::string> names_;  ///< names by line
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

/// The reason of a case whose operator is open or undefined.
std::string ReasonOf(const oracle::Resolution& resolution);

/// The table of faults (suite_invalid.cc): all of them for one operator kind and rank.
void AddFaultyOperators(InvalidPairs& pairs);
/// Adds operators that the dialects of libraries refuse beyond their documents (suite_invalid_libraries.cc).
void AddLibraryRefusals(InvalidPairs& pairs);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_SUITE_SUITE_INVALID_PAIRS_H_
