// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// See unit.h.

#include "conformance/unit.h"

namespace conformance {
namespace {

// Much more work than the start of a process, and a level has enough of them to share out.
constexpr std::size_t kMostCases = 200;
constexpr double kMostProducts = 1e7;

}  // namespace

std::vector<Unit> UnitsOf(const std::vector<SuiteCase>& plan, const std::vector<CaseDemand>& demands) {
  std::vector<Unit> units;
  for (std::size_t i = 0; i < plan.size(); ++i) {
    const bool goes_on = !units.empty() && units.back().end - units.back().begin < kMostCases &&
                         units.back().products + demands[i].products <= kMostProducts &&
                         plan[i].test_case.sweep.has_value() == plan[i - 1].test_case.sweep.has_value();
    if (!goes_on) units.push_back({i, i, 0});
    units.back().end = i + 1;
    units.back().products += demands[i].products;
  }
  return units;
}

}  // namespace conformance
