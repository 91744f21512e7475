// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Orders cases so that each next case adds the most combinations of classes that no earlier case has. Uses a priority
// queue of estimates. The number of combinations that a case adds can only fall as other cases are chosen, so that an
// old number is an upper bound. Example: the estimates of A, B, C are 9, 7, 4, and A, counted anew, adds 8. B and C add
// at most 7, so A is the best case, and B and C need no new count.

#include "conformance/suite/measured_coverage/novelty_order.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <queue>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "conformance/case/property/property.h"
#include "oracle/resolve.h"

namespace conformance {
namespace {

using Combinations = std::vector<std::uint64_t>;

/// Operators with more multiply-adds come last, because a run of few cases must take only seconds.
constexpr double kMostMultiplyAdds = 5e6;

/// A class for a number of channels: libraries often compute blocks of 8. The table of properties has no classes of
/// channels.
std::string_view BlockOf(std::int64_t channels) {
  if (channels <= 1) return channels == 1 ? "1" : "0";
  if (channels < 8) return "few";
  return channels % 8 == 0 ? "blocks" : "blocks and a rest";
}

/// One word for each class of the case; pairs of words are its combinations.
std::vector<std::string> WordsOf(const Case& test_case, const oracle::Geometry& geometry) {
  std::vector<std::string> words;
  if (const auto row = Classify(test_case.op, geometry)) {
    for (std::size_t i = 0; i < kParameters; ++i) {
      const auto parameter = static_cast<Property>(i);
      if (row->Has(parameter)) words.push_back(fmt::format("{}={}", i, (*row)[parameter]));
    }
  } else {
    words.push_back(fmt::format("outside={}", static_cast<int>(test_case.op.kind)));
  }
  const oracle::Axis first = geometry.axes.empty() ? oracle::Axis{} : geometry.axes.front();
  const bool uniform = std::ranges::all_of(geometry.axes, [&](const oracle::Axis& axis) {
    return axis.kernel == first.kernel && axis.stride == first.stride && axis.dilation == first.dilation;
  });
  words.push_back(
      uniform ? fmt::format("uniform={},{},{},{}", geometry.axes.size(), first.kernel, first.stride, first.dilation)
              : fmt::format("axes={}", geometry.axes.size()));
  words.push_back(fmt::format("in={}", BlockOf(geometry.in_channels)));
  words.push_back(fmt::format("out={}", BlockOf(geometry.out_channels)));
  words.push_back(fmt::format("values={}", DataSetName(test_case.values)));
  return words;
}

std::uint64_t HashOf(const std::string& text) { return std::hash<std::string>{}(text); }

/// The hashes of the combinations of a case. Two cases share a combination if they share its hash.
Combinations CombinationsOf(const Case& test_case, oracle::Dialect judged_by, const oracle::Resolution& resolution) {
  const std::string dialect(oracle::DialectName(judged_by));
  if (!resolution.ok()) return {HashOf(fmt::format("{} {}", dialect, resolution.refusal->clause))};
  Combinations combinations;
  for (const oracle::OpenPoint& open : resolution.open) {
    combinations.push_back(HashOf(fmt::format("{} {}", dialect, open.point)));
  }
  const std::vector<std::string> words = WordsOf(test_case, *resolution.geometry);
  for (std::size_t i = 0; i < words.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) combinations.push_back(HashOf(words[j] + " " + words[i]));
  }
  return combinations;
}

/// An upper bound of the multiply-adds: each data element times each filter element of its group.
double MultiplyAddsOf(const oracle::Geometry& geometry) {
  double products = static_cast<double>(geometry.DataCount()) * static_cast<double>(geometry.out_channels);
  for (const oracle::Axis& axis : geometry.axes) products *= static_cast<double>(axis.kernel);
  return products;
}

bool IsOrderedLast(const Case& test_case, const oracle::Resolution& resolution) {
  return test_case.sweep || test_case.law || test_case.repeats ||
         (resolution.ok() && MultiplyAddsOf(*resolution.geometry) > kMostMultiplyAdds);
}

}  // namespace

std::vector<std::size_t> NoveltyOrder(const std::vector<CaseWithDialect>& cases) {
  std::vector<Combinations> combinations(cases.size());
  std::vector<std::size_t> order;
  std::vector<std::size_t> last;
  // An upper bound of what a case adds, and its index. Among equal bounds the lowest index is first.
  using Estimate = std::pair<std::size_t, std::size_t>;
  const auto is_worse = [](const Estimate& one, const Estimate& other) {
    return std::tuple(one.first, other.second) < std::tuple(other.first, one.second);
  };
  std::priority_queue<Estimate, std::vector<Estimate>, decltype(is_worse)> estimates(is_worse);
  for (std::size_t case_index = 0; case_index < cases.size(); ++case_index) {
    const auto& [test_case, dialect] = cases[case_index];
    if (test_case == nullptr) {
      last.push_back(case_index);
      continue;
    }
    const auto resolution = oracle::Resolve(test_case->op, dialect, oracle::StepTexts::kLeftOut);
    if (IsOrderedLast(*test_case, resolution)) {
      last.push_back(case_index);
      continue;
    }
    combinations[case_index] = CombinationsOf(*test_case, dialect, resolution);
    estimates.emplace(combinations[case_index].size(), case_index);
  }
  std::unordered_set<std::uint64_t> known;
  while (!estimates.empty()) {
    const std::size_t case_index = estimates.top().second;
    estimates.pop();
    const auto added = static_cast<std::size_t>(
        std::ranges::count_if(combinations[case_index], [&](std::uint64_t one) { return !known.contains(one); }));
    if (!estimates.empty() && is_worse(Estimate(added, case_index), estimates.top())) {
      estimates.emplace(added, case_index);
      continue;
    }
    known.insert(combinations[case_index].begin(), combinations[case_index].end());
    order.push_back(case_index);
  }
  order.insert(order.end(), last.begin(), last.end());
  return order;
}

}  // namespace conformance
