// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Builds the cases of each suite (named list of cases) and level (how many of them) once for all tests of the suites,
// because level full alone takes seconds.

#ifndef DECONV_CONFORMANCE_SUITE_CASES_OF_SUITES_H_
#define DECONV_CONFORMANCE_SUITE_CASES_OF_SUITES_H_

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "conformance/suite/suite.h"

namespace conformance {

inline constexpr std::array kLevels = {Level::kSmoke, Level::kGate, Level::kFull};

/// Each kind of operator, and whether its channels are last. Only ConvolutionBackwardData has both layouts.
inline constexpr std::array kVariants = {std::pair{oracle::OperatorKind::kConvolutionBackpropData, false},
                                         std::pair{oracle::OperatorKind::kGroupConvolutionBackpropData, false},
                                         std::pair{oracle::OperatorKind::kConvolutionBackwardData, false},
                                         std::pair{oracle::OperatorKind::kConvolutionBackwardData, true},
                                         std::pair{oracle::OperatorKind::kConvTranspose, false}};

/// The cases of a suite, which must exist. Throws std::bad_variant_access if they cannot be built.
inline const std::vector<SuiteCase>& CasesOf(std::string_view suite, Level level) {
  static std::map<std::pair<std::string, Level>, std::vector<SuiteCase>> built_lists;
  const auto [entry, is_new] = built_lists.try_emplace({std::string(suite), level});
  if (is_new) entry->second = std::get<std::vector<SuiteCase>>(SuiteCases(suite, level, 0));
  return entry->second;
}

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_SUITE_CASES_OF_SUITES_H_
