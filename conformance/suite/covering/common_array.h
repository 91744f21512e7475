// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The cases of suite `common`: a covering array around the geometries that networks use. Its factors are geometry,
// what decides the size of the output, type, batch, groups, channels in and out, sizes, values, layout and operator.

#ifndef DECONV_CONFORMANCE_SUITE_COVERING_COMMON_ARRAY_H_
#define DECONV_CONFORMANCE_SUITE_COVERING_COMMON_ARRAY_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/case/case.h"

namespace conformance {

struct CommonCase {
  std::string name;
  std::string_view networks;  ///< networks that have the geometry
  Case test_case;
};

/// The dialect in which suites `common` and `dense` have an operator: the first one that defines same_upper.
oracle::Dialect CommonDialectOf(oracle::OperatorKind kind);

/// Cases with every possible combination of the values of `strength` factors (2 to 4). Each strength begins with the
/// cases of the one before. Two cases may be equal.
std::vector<CommonCase> CommonCasesOf(std::size_t strength);

/// Each geometry with infinities and NaN, zeros beside infinities, and subnormals, which a special path may lose: in
/// every floating type, or in one of them that changes from case to case.
std::vector<CommonCase> CommonSpecialCases(bool every_type);

/// Each geometry in f32 with full significands and equal blocks of channels in and out, for which libraries have
/// special code that may round operands: blocks of 8, 16 and 32, or one of the first two.
std::vector<CommonCase> CommonBlockCases(bool every_block);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_SUITE_COVERING_COMMON_ARRAY_H_
