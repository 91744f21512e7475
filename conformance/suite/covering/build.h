// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes an operator from a row of classes: it is in exactly these classes, and its values differ from axis to axis.

#ifndef DECONV_CONFORMANCE_SUITE_COVERING_BUILD_H_
#define DECONV_CONFORMANCE_SUITE_COVERING_BUILD_H_

#include <cstdint>
#include <optional>

#include "conformance/case/data_set.h"
#include "conformance/case/operator_draft.h"
#include "conformance/case/property/property.h"
#include "conformance/suite/covering/axes_array.h"

namespace conformance {

/// `row` has a class for each parameter of the dialect. Different numbers of `variant` choose other values in the same
/// classes where there are others. Nothing if no small values are in these classes: then the model allows what it
/// should not, or the values below are too few.
std::optional<OperatorDraft> DraftOf(const ClassRow& row, oracle::Dialect dialect, std::uint64_t variant);

/// The operator of a row whose axes are in different classes.
std::optional<OperatorDraft> DraftOf(const AxesRow& row, oracle::Dialect dialect, std::uint64_t variant);

/// A data set that suits the row's type: integers for half of the rows, the others in turn.
DataSet DataSetOf(const ClassRow& row, std::uint64_t variant);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_SUITE_COVERING_BUILD_H_
