// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Chooses values along one spatial axis that are in given classes and that the dialect accepts.

#ifndef DECONV_CONFORMANCE_SUITE_COVERING_AXIS_VALUES_H_
#define DECONV_CONFORMANCE_SUITE_COVERING_AXIS_VALUES_H_

#include <cstdint>
#include <optional>

#include "conformance/case/operator_draft.h"
#include "conformance/case/property/property.h"
#include "oracle/dialect.h"

namespace conformance {

/// Stride and dilation are given; kernel, data, pads, output_padding and output are chosen, small ones first; `turn`
/// rotates the choice. Nothing if no values suit.
std::optional<AxisDraft> AxisValues(const ClassRow& row, oracle::Dialect dialect, std::int64_t stride,
                                    std::int64_t dilation, std::uint64_t turn);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_SUITE_COVERING_AXIS_VALUES_H_
