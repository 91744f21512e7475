// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds operators that differ little from a given one, and chooses how a plan, which is an operator that a backend has
// prepared for many runs, is tested with them. Also has the memory for runs whose output nobody judges.

#ifndef DECONV_CONFORMANCE_INTERFACE_RELATED_OPERATORS_H_
#define DECONV_CONFORMANCE_INTERFACE_RELATED_OPERATORS_H_

#include <cstddef>
#include <optional>
#include <vector>

#include "conformance/interface/backend.h"
#include "oracle/dialect.h"
#include "oracle/operator.h"

namespace conformance {

// Relatives differ from an operator in one attribute, in the batch or in the type. A cache with an incomplete key may
// confuse them.

/// Operators that differ from `op` in the strides, the dilations, one or both of the pads, the batch or the type. A
/// backend that computes `op` must compute them too, if it declares them.
std::vector<oracle::Operator> RelatedOperatorsOf(const oracle::Operator& op, oracle::Dialect dialect);

// A plan is made for one operator, and may run siblings before the judged operator: the same operator with other sizes.
// A plan that wrongly keeps a size of an earlier run then gives a wrong output. Some plans have a rival: the plan of a
// relative, which lives at the same time. Plans that wrongly share data then give wrong outputs. Example: the judged
// operator has data 1,1,5. The plan is made for its sibling 2,1,6, runs 2,1,6 and then 1,1,5.

/// How the sizes of a sibling differ from those of an operator.
enum class Sibling {
  kLarger,   ///< one more sample in the batch and one more data element along each axis; the total padding is the same
  kSmaller,  ///< one sample and one data element along each axis less, where there is more than one
  kOtherTotal,  ///< the same data and another output shape, so that the total padding differs
};

/// Returns the sibling of a valid operator: a valid operator that the backend declares to support, with as many of
/// these differences as possible. Returns nothing if no difference is possible.
std::optional<oracle::Operator> SiblingOf(const oracle::Operator& op, Sibling sibling, oracle::Dialect dialect,
                                          const Capabilities& declared);

/// The operators that run before the judged run of a plan.
struct PlanScenario {
  oracle::Operator made_for;
  std::vector<oracle::Operator> runs;  ///< operators that run before the judged operator
  /// A relative that gets a plan of its own after these runs. Its plan runs once, and lives until the judged run has
  /// ended.
  std::optional<oracle::Operator> rival = std::nullopt;
};

/// Returns the scenario that a hash of the operator chooses. An operator with all three siblings has six scenarios:
///   - the plan is made for the larger sibling, the smaller one, or the one with another total padding, and runs it;
///   - the plan is made for `op`, and runs `op` and a sibling;
///   - the plan is made for the first sibling, and runs all siblings in turn and one of them again;
///   - the plan is made for `op`, runs `op`, and has a rival.
PlanScenario PlanScenarioOf(const oracle::Operator& op, oracle::Dialect dialect, const Capabilities& declared);

/// Memory for a run whose output nobody judges.
class ScratchBuffers {
 public:
  /// Allocates and fills the buffers of `op`, a valid operator, if it is small.
  ScratchBuffers(const oracle::Operator& op, oracle::Dialect dialect);

  /// Whether the operator is small enough for a run that is not judged.
  bool fits() const { return !data_.empty(); }
  RunBuffers get();  ///< only if fits()

 private:
  // Each vector has one byte more than its tensor, so that an empty tensor has an address, too.
  std::vector<std::byte> data_;
  std::vector<std::byte> filter_;
  std::vector<std::byte> output_;
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_INTERFACE_RELATED_OPERATORS_H_
