// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The cases of suite `common`: a covering array over the geometries that networks use and ten other factors. They are
// the attributes that decide the output size, type, batch, groups, input and output channels, sizes, values, layout and
// operator. A covering array is a few cases that contain every combination of the values of any two (or more) factors.

#ifndef DECONV_CONFORMANCE_SUITE_COVERING_COMMON_ARRAY_H_
#define DECONV_CONFORMANCE_SUITE_COVERING_COMMON_ARRAY_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/case/case.h"

namespace conformance {

/// One case of the suite.
struct CommonCase {
  std::string name;
  std::string_view networks;  ///< networks that have the geometry
  Case test_case;
};

/// The dialect in which suites `common` and `dense` test an operator: the first dialect that defines same_upper.
oracle::Dialect CommonDialectOf(oracle::OperatorKind kind);

/// Cases with every possible combination of the values of `strength` factors (2 to 4). The list of a strength begins
/// with the list of the strength below it. Two cases may be equal.
std::vector<CommonCase> CommonCasesOf(std::size_t strength);

/// Each geometry with data sets `specials`, `zeros` and `subnormals`, whose values a special code path may treat
/// wrongly. `every_type`: in every floating type; otherwise in one type, which changes from case to case.
std::vector<CommonCase> CommonSpecialCases(bool every_type);

/// Each geometry in f32 with full significands, and with 8, 16 or 32 input and output channels. Libraries have special
/// code for such blocks, which may round operands. `every_block`: with all three blocks; otherwise with 8 or 16.
std::vector<CommonCase> CommonBlockCases(bool every_block);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_SUITE_COVERING_COMMON_ARRAY_H_
