// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tells which classes of properties, such as "rank=5", all operators of some failures share.

#ifndef DECONV_CONFORMANCE_DIAGNOSIS_COMMON_FEATURES_H_
#define DECONV_CONFORMANCE_DIAGNOSIS_COMMON_FEATURES_H_

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "conformance/verdict/result.h"

namespace conformance {

/// At most three classes that all failures have, and fewer than half of the passing cases of the same suites:
/// "auto_pad=valid, rank=5". Other suites do not count, because all cases of a suite may have a class that has nothing
/// to do with the failures. A class is left out if as many passing cases might share it by chance. The text is empty if
/// no class is left, or for one failure. `failures`: indices of results.
std::string CommonClassesOf(std::span<const CaseResult> results, const std::vector<std::size_t>& failures);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_DIAGNOSIS_COMMON_FEATURES_H_
