// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tells whether two failing cases may show the same defect of a backend. One of them is minimized: everything was
// removed from it that its failure does not need, and what is left are the features that the defect needs. A case
// without one of these features fails by another defect. A case with all of them may also fail by another defect: the
// first one may act only with the minimized case's own stride or element type, which SmallestCase finds out.

#ifndef DECONV_FUZZ_FINDINGS_MINIMAL_FEATURES_H_
#define DECONV_FUZZ_FINDINGS_MINIMAL_FEATURES_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <utility>

#include "conformance/case/case.h"

namespace fuzz {

/// Whether `test_case` has all features of the minimized case:
///   - its sizes, strides, dilations, pads, output_padding and groups are at least as large, in any order of the axes,
///   - it has an output shape if the minimized case has one,
///   - it has the same auto_pad, unless explicit pads decide in the minimized case,
///   - it has an empty tensor if the minimized case has one,
///   - its values are not the data set `integers` (small integers) if those of the minimized case are not.
/// Example: a minimized case with strides 1,4 needs a stride of at least 4 on some axis.
bool HasFeaturesOf(const conformance::Case& minimized, const conformance::Case& test_case);

/// A cause of failures that no planted fault explains, described by the smallest case that fails by it.
class SmallestCase {
 public:
  /// Runs a case, and returns whether it fails by this cause. A case that cannot be judged counts as a failure.
  using StillFails = std::function<bool(const conformance::Case&)>;

  explicit SmallestCase(conformance::Case smallest) : smallest_(std::move(smallest)) {}

  const conformance::Case& test_case() const { return smallest_; }
  /// Whether the cause may explain the failure of `other`. The smallest case gets the element type of `other`, then its
  /// largest stride, dilation, pads and kernel size instead, one at a time. If it passes with one of them, the defect
  /// does not act there, so the answer is false. Example: the smallest case fails with stride 1 and passes with stride
  /// 2. Then the cause does not explain a case with stride 2.
  bool HasEffectOn(const conformance::Case& other, const StillFails& still_fails);

 private:
  bool FailsWith(std::size_t field, std::int64_t value, const conformance::Case& changed,
                 const StillFails& still_fails);

  conformance::Case smallest_;
  /// Whether the smallest case fails with another value of a field, by the field's index (minimal_features.cc) and the
  /// value. Each is run only once.
  std::map<std::pair<std::size_t, std::int64_t>, bool> fails_with_;
};

}  // namespace fuzz

#endif  // DECONV_FUZZ_FINDINGS_MINIMAL_FEATURES_H_
