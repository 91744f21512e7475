// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes the cases of suites `invalid` and `open` from one table of faults. Each row gives a faulty operator and its
// neighbour: a simple valid operator that differs in the fault alone. InvalidPairs makes cases in each dialect.

#ifndef DECONV_CONFORMANCE_SUITE_SUITE_INVALID_PAIRS_H_
#define DECONV_CONFORMANCE_SUITE_SUITE_INVALID_PAIRS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "conformance/case/operator_draft.h"
#include "conformance/suite/suite_generators.h"
#include "oracle/resolve.h"

namespace conformance {

/// The faulty operators of a suite. One dialect may refuse an operator that another dialect leaves open.
enum class FaultyOperators {
  kRefused,  ///< operators that the dialect refuses, each with its valid neighbour
  kOpen,     ///< operators that the dialect leaves open (it may refuse or compute them) or undefined
};

/// Collects the cases for one operator kind, rank and number of groups.
class InvalidPairs {
 public:
  /// `groups`: number of groups of the valid operators. Some libraries compute GroupConvolutionBackpropData only with
  /// one group, others only with several.
  InvalidPairs(oracle::OperatorKind kind, std::size_t rank, std::int64_t groups, FaultyOperators wanted,
               SuiteBuilder& suite);

  oracle::OperatorKind kind() const { return kind_; }
  /// Whether the operator is one of OpenVINO's.
  bool openvino() const {
    return kind_ == oracle::OperatorKind::kConvolutionBackpropData ||
           kind_ == oracle::OperatorKind::kGroupConvolutionBackpropData;
  }
  std::size_t rank() const { return rank_; }
  const OperatorDraft& draft() const { return draft_; }
  /// The valid operator from which the faulty ones are made.
  oracle::Operator Base() const { return Build(draft_); }
  /// The valid operator with an output shape of its natural size, as input or as attribute.
  oracle::Operator WithOutput(std::optional<AutoPad> auto_pad = std::nullopt) const;
  /// The positions of the first spatial axis and of the channels in the operator's tensors.
  std::size_t first_spatial() const { return draft_.IsNxc() ? 1 : 2; }
  std::size_t channels_at() const { return draft_.IsNxc() ? rank_ + 1 : 1; }
  std::size_t first_kernel_axis() const;

  /// Adds a case for the faulty operator in each dialect. If a library refuses the valid neighbour by a clause of its
  /// own, both operators get sizes that the library accepts (AdaptedTo). A dialect is left out if the neighbour stays
  /// invalid, if `clause` is not the reason of the refusal, or if the suite does not take it (FaultyOperators).
  void Add(const std::string& name, std::string_view clause, const oracle::Operator& invalid,
           const oracle::Operator& valid);
  /// Does the same for one dialect.
  void AddFor(oracle::Dialect dialect, const std::string& name, std::string_view clause,
              const oracle::Operator& invalid, const oracle::Operator& valid);

 private:
  /// Adds a case unless the suite has this operator already. Returns the name of the case with this operator.
  std::string Push(std::string name, std::string reason, const oracle::Operator& op, oracle::Dialect dialect,
                   const std::optional<oracle::Operator>& neighbour);

  oracle::OperatorKind kind_;
  std::size_t rank_;
  FaultyOperators wanted_;
  OperatorDraft draft_;
  SuiteBuilder& suite_;
  std::map<std::string, std::string> names_;  ///< names by line
};

/// The operator with one change.
template <typename Change>
oracle::Operator Changed(oracle::Operator op, Change change) {
  change(op);
  return op;
}

/// A valid operator with the dialect's spelling. If its library refuses the operator, oneDNN gets a dst_shape whose
/// forward convolution gives the data's size; ONNX Runtime and TensorFlow get no output_padding.
oracle::Operator AdaptedTo(oracle::Operator op, oracle::Dialect dialect);

/// The text `SuiteCase::reason` for an operator that is open or undefined.
std::string ReasonOf(const oracle::Resolution& resolution);

/// Adds every row of the table of faults in suite_invalid.cc, for one operator kind and rank.
void AddFaultyOperators(InvalidPairs& pairs);
/// Adds operators that libraries refuse although their documents allow them (suite_invalid_libraries.cc).
void AddLibraryRefusals(InvalidPairs& pairs);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_SUITE_SUITE_INVALID_PAIRS_H_
