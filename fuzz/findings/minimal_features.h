// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tells whether a failing case may have the same defect as a minimized case, from which everything was removed that the
// failure does not need. What is left are the features that the defect needs. So a case without one of these features
// fails by another defect. A case with all of them fails by another defect, too, if the defect does not act there.

#ifndef DECONV_FUZZ_FINDINGS_MINIMAL_FEATURES_H_
#define DECONV_FUZZ_FINDINGS_MINIMAL_FEATURES_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <utility>

#include "conformance/case/case.h"

namespace fuzz {

/// Whether `test_case` has all features of the minimized case. Its sizes, strides, dilations, pads, output_padding and
/// groups must be at least as large, in any order of the axes. It must have an output shape if the minimized case has
/// one, and the same auto_pad unless that is explicit or absent. It must have an empty tensor if the minimized case has
/// one, and other values than small integers if the minimized case has such values.
/// Example: a minimized case with strides 1,4 needs a stride of at least 4 on some axis.
bool HasFeaturesOf(const conformance::Case& minimized, const conformance::Case& test_case);

/// A cause of failures that no planted fault explains, described by the smallest case that fails by it.
class SmallestCase {
 public:
  /// Runs a case, and returns whether it fails by this cause. A case that cannot be judged counts as a failure.
  using StillFails = std::function<bool(const conformance::Case&)>;

  explicit SmallestCase(conformance::Case smallest) : smallest_(std::move(smallest)) {}

  const conformance::Case& test_case() const { return smallest_; }
  /// Whether the smallest case still fails if it gets the element type, the largest kernel, stride, dilation or pads of
  /// `other`. If it does not, the defect does not act there, so the cause does not explain `other`. Example: the
  /// smallest case fails with stride 1 and passes with stride 2. It does not explain a case with stride 2.
  bool HasEffectOn(const conformance::Case& other, const StillFails& still_fails);

 private:
  bool FailsWith(std::size_t field, std::int64_t value, const conformance::Case& changed,
                 const StillFails& still_fails);

  conformance::Case smallest_;
  /// Whether the smallest case fails with another value of a field, by the field's index and the value.
  std::map<std::pair<std::size_t, std::int64_t>, bool> fails_with_;
};

}  // namespace fuzz

#endif  // DECONV_FUZZ_FINDINGS_MINIMAL_FEATURES_H_
