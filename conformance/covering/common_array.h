// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The cases of suite `common`: a covering array around the geometries that networks use. Its factors are geometry,
// what decides the size of the output, type, batch, groups, channels in and out, sizes, values, layout and operator.

#ifndef DECONV_CONFORMANCE_COVERING_COMMON_ARRAY_H_
#define DECONV_CONFORMANCE_COVERING_COMMON_ARRAY_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/case/case.h"

namespace conformance {

struct CommonCase {
  std::string name;
  std::string_view networks;  ///< that have the geometry
  Case test_case;
};

/// Cases with every possible combination of the values of `strength` factors (2 to 4). Each strength begins with the
/// cases of the one before. Two cases may be equal.
std::vector<CommonCase> CommonCasesOf(std::size_t strength);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_COVERING_COMMON_ARRAY_H_
