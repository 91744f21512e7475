// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The tolerance that a backend's outputs would have needed in a test without error bounds, for each type.

#ifndef DECONV_CONFORMANCE_REPORT_NEEDED_TEXT_H_
#define DECONV_CONFORMANCE_REPORT_NEEDED_TEXT_H_

#include <string>
#include <string_view>
#include <vector>

#include "conformance/run/run_record.h"

namespace conformance {

struct NeededOfType {
  bool right = true;  ///< of the cases whose outputs are all right; else of those with wrong values
  NeededTolerance needed;
};

/// The types that have outputs, those of right cases first.
std::vector<NeededOfType> NeededByType(const RunRecord& run);

/// "1.2e-07", and "0" for none.
std::string ToleranceText(double value);
/// "f32 needed rtol 1.9e-07 (2 ulp) for the 45 % of outputs that neither cancel by half nor underflow; rtol 2.4e-07
/// with atol 3.1e-08 of the case's largest output is enough for all".
std::string ToText(const NeededOfType& entry);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_REPORT_NEEDED_TEXT_H_
