// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The largest tolerance that a run's outputs of each type would have needed in a test without error bounds.

#ifndef DECONV_CONFORMANCE_REPORT_NEEDED_BY_TYPE_H_
#define DECONV_CONFORMANCE_REPORT_NEEDED_BY_TYPE_H_

#include <string>
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

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_REPORT_NEEDED_BY_TYPE_H_
