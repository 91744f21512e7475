// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Builds rows around a core of parameters: every feasible combination of the core's classes, together with each class
// of every other parameter. The core holds the attributes that decide pads and sizes together.

#ifndef DECONV_CONFORMANCE_SUITE_COVERING_CORE_ARRAY_H_
#define DECONV_CONFORMANCE_SUITE_COVERING_CORE_ARRAY_H_

#include <array>
#include <vector>

#include "conformance/suite/covering/model.h"

namespace conformance {

inline constexpr std::array kCoreParameters = {Property::kAutoPad, Property::kOutputShape, Property::kOutputPadding,
                                               Property::kGroups};

/// Whole rows that no constraint forbids. The same rows on every machine.
std::vector<ClassRow> CoreRows(const Model& model);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_SUITE_COVERING_CORE_ARRAY_H_
