// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes an operator from a row of classes, for the cases of covering arrays (array.h). The operator is in exactly these
// classes, and its axes have different values. Example: the row "pads=begin kernel=odd" may give pads_begin=1,2,
// pads_end=0,0 and kernel 3x5.

#ifndef DECONV_CONFORMANCE_SUITE_COVERING_BUILD_H_
#define DECONV_CONFORMANCE_SUITE_COVERING_BUILD_H_

#include <cstdint>
#include <optional>

#include "conformance/case/data_set.h"
#include "conformance/case/operator_draft.h"
#include "conformance/case/property/property.h"
#include "conformance/suite/covering/array.h"
#include "oracle/dialect.h"

namespace conformance {

/// `row` must have a class for each parameter of the dialect. Another `variant` chooses other values in the same
/// classes, if there are any. nullopt if no value that AxisValues tries is in the classes. That is an error of the
/// suite: the model allows an impossible row, or AxisValues tries too few values.
std::optional<OperatorDraft> DraftOf(const ClassRow& row, oracle::Dialect dialect, std::uint64_t variant);

/// The operator of a row whose axes are in different classes.
std::optional<OperatorDraft> DraftOf(const AxesRow& row, oracle::Dialect dialect, std::uint64_t variant);

/// A data set for the row's element type: `integers` for half of the rows, other sets in turn for the others.
DataSet DataSetOf(const ClassRow& row, std::uint64_t variant);

// Chooses sizes and pads of one spatial axis so that they are in given classes and that the dialect accepts them
// (axis_values.cc).

/// Chooses kernel, data, pads, output_padding and output for a given stride and dilation. Small values are tried first;
/// another `rotation` begins with other values. nullopt if no tried values are in the classes.
std::optional<AxisDraft> AxisValues(const ClassRow& row, oracle::Dialect dialect, std::int64_t stride,
                                    std::int64_t dilation, std::uint64_t rotation);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_SUITE_COVERING_BUILD_H_
