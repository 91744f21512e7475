// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the classes that a case is in, from its operator and the oracle's resolution. It does not know how cases are
// made: it shares only the names of the classes (conformance/suite/covering/parameter.h) with the covering array.

#ifndef DECONV_CONFORMANCE_SUITE_MEASURED_COVERAGE_CLASSIFY_H_
#define DECONV_CONFORMANCE_SUITE_MEASURED_COVERAGE_CLASSIFY_H_

#include <optional>
#include <vector>

#include "conformance/suite/covering/parameter.h"
#include "oracle/resolve.h"

namespace conformance {

/// `geometry` is what the operator resolves to. A parameter whose axes are in different classes has none. Nothing for
/// an operator outside the model: without data or channels, or with a spatial size of data below 2.
std::optional<ClassRow> Classify(const oracle::Operator& op, const oracle::Geometry& geometry);

/// The classes of kAxisParameters that each axis is in, of an operator inside the model.
std::vector<ClassRow> ClassifyAxes(const oracle::Operator& op, const oracle::Geometry& geometry);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_SUITE_MEASURED_COVERAGE_CLASSIFY_H_
