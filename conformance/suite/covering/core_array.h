// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Builds rows around a core of four parameters, which together decide pads and sizes. The rows contain every feasible
// combination of the core's classes, and each of these combinations with each class of every other parameter.

#ifndef DECONV_CONFORMANCE_SUITE_COVERING_CORE_ARRAY_H_
#define DECONV_CONFORMANCE_SUITE_COVERING_CORE_ARRAY_H_

#include <array>
#include <vector>

#include "conformance/suite/covering/model.h"

namespace conformance {

inline constexpr std::array kCoreParameters = {Property::kAutoPad, Property::kOutputShape, Property::kOutputPadding,
                                               Property::kGroups};

/// Complete rows that no constraint forbids. They are the same on every machine.
std::vector<ClassRow> CoreRows(const Model& model);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_SUITE_COVERING_CORE_ARRAY_H_
