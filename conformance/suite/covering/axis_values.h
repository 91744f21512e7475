// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Chooses sizes and pads of one spatial axis so that they are in given classes and that the dialect accepts them.

#ifndef DECONV_CONFORMANCE_SUITE_COVERING_AXIS_VALUES_H_
#define DECONV_CONFORMANCE_SUITE_COVERING_AXIS_VALUES_H_

#include <cstdint>
#include <optional>

#include "conformance/case/operator_draft.h"
#include "conformance/case/property/property.h"
#include "oracle/dialect.h"

namespace conformance {

/// Chooses kernel, data, pads, output_padding and output for a given stride and dilation. Small values are tried first;
/// another `turn` begins with other values. nullopt if no tried values are in the classes.
std::optional<AxisDraft> AxisValues(const ClassRow& row, oracle::Dialect dialect, std::int64_t stride,
                                    std::int64_t dilation, std::uint64_t turn);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_SUITE_COVERING_AXIS_VALUES_H_
