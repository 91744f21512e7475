// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The classes that a case is in, read off its operator and what the oracle resolves it to. Knows nothing of how cases
// are made: with the covering array it shares the names of the classes (conformance/covering/parameter.h) alone.

#ifndef DECONV_CONFORMANCE_MEASURED_COVERAGE_CLASSIFY_H_
#define DECONV_CONFORMANCE_MEASURED_COVERAGE_CLASSIFY_H_

#include <optional>

#include "conformance/covering/parameter.h"
#include "oracle/resolve.h"

namespace conformance {

/// `geometry` is what the operator resolves to. A parameter whose axes are in different classes has none. Nothing for
/// an operator outside the model: without data or channels, or with a spatial size of data below 2.
std::optional<ClassRow> Classify(const oracle::Operator& op, const oracle::Geometry& geometry);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_MEASURED_COVERAGE_CLASSIFY_H_
