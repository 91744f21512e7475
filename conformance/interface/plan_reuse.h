// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Chooses for which operator a plan is made, and what it runs before the judged operator: larger and smaller sizes,
// other output shapes, and the judged operator itself. A plan that wrongly keeps something of an earlier run shows it.
// Some plans have a rival: a plan of a relative that lives at the same time. Plans that wrongly share something show
// it.

#ifndef DECONV_CONFORMANCE_INTERFACE_PLAN_REUSE_H_
#define DECONV_CONFORMANCE_INTERFACE_PLAN_REUSE_H_

#include <cstddef>
#include <optional>
#include <vector>

#include "conformance/interface/backend.h"
#include "oracle/dialect.h"
#include "oracle/operator.h"

namespace conformance {

/// How the sizes of a sibling differ from those of an operator.
enum class Sibling {
  kLarger,   ///< one more sample in the batch and one more data element along each axis; the total padding is the same
  kSmaller,  ///< one less of each, where there is more than one
  kOtherTotal,  ///< the same data and another output shape, so that the total padding differs
};

/// The sibling of a valid operator: valid and declared, with as many of the differences as it can have. Nothing if it
/// can have none.
std::optional<oracle::Operator> SiblingOf(const oracle::Operator& op, Sibling sibling, oracle::Dialect dialect,
                                          const Capabilities& declared);

/// The life of a plan up to the run that is judged.
struct PlanLife {
  oracle::Operator made_for;
  std::vector<oracle::Operator> runs;  ///< operators that run before the judged operator
  /// A relative (conformance/interface/relatives.h) that gets a plan of its own after these runs. Its plan runs once,
  /// and lives until the judged run has ended.
  std::optional<oracle::Operator> rival = std::nullopt;
};

/// One of six lives, chosen by the operator alone: the plan is made for a larger sibling, for a smaller one or for one
/// with another total; it is made for `op`, runs `op` and a sibling, and goes back to `op`; it runs all siblings in
/// turn; or it has a rival.
PlanLife PlanLifeOf(const oracle::Operator& op, oracle::Dialect dialect, const Capabilities& declared);

/// Memory for a run whose output nobody judges.
class ScratchBuffers {
 public:
  /// `op` is valid.
  ScratchBuffers(const oracle::Operator& op, oracle::Dialect dialect);

  /// Whether it is small enough to be run for nothing.
  bool fits() const { return !data_.empty(); }
  RunBuffers get();

 private:
  // Each one byte more than is used, so that empty tensors have an address too.
  std::vector<std::byte> data_;
  std::vector<std::byte> filter_;
  std::vector<std::byte> output_;
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_INTERFACE_PLAN_REUSE_H_
