// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Groups dialects by the sizes and pads that they compute for an operator, and compares an answer with each group. A
// dialect is a document's or library's reading of the attributes.

#include "conformance/verdict/dialect_fit.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "conformance/verdict/answer_failure.h"
#include "conformance/verdict/compare.h"

namespace conformance {
namespace {

// The largest output that is compared, because each group of dialects costs one computation of all outputs. The
// deciding cases of the suites have fewer than 1000 outputs, except the specification's Example 3 with 2 million.
constexpr std::int64_t kMostOutputs = std::int64_t{1} << 22;

/// Whether the observed answer is right in the dialects of the group.
bool Fits(const DialectGroup& group, const Observation& seen, const Capabilities& declared) {
  const deconv_answer answer = seen.answer.answer;
  if (!group.geometry) return IsRefusal(seen.answer);
  if (answer != DECONV_ANSWER_COMPUTED && answer != DECONV_ANSWER_OTHER_SHAPE) return false;
  if (seen.answer.output_dims != group.geometry->OutputDims()) return false;
  // The output buffer has the size of the dialect by which the backend was asked. If the backend gave another size, it
  // wrote no output, so that only the size is compared.
  if (answer != DECONV_ANSWER_COMPUTED || seen.answer.output_dims != seen.asked_dims) return true;
  // Without data every output is 0 in every dialect. So only the output size shows the backend's dialect (P27).
  if (group.geometry->DataCount() == 0) return true;
  Expected expected(oracle::Operands(*group.geometry, seen.data, seen.filter));
  return Compare(expected, seen.output, declared).ok();
}

}  // namespace

std::vector<DialectGroup> AgreeingDialects(const oracle::Operator& op) {
  std::vector<DialectGroup> groups;
  for (const oracle::Dialect dialect : oracle::DialectsOf(op.kind)) {
    oracle::Resolution resolution = oracle::Resolve(op, dialect);
    if (!resolution.ok() && (resolution.refusal->undefined || oracle::CannotBeExpressed(*resolution.refusal))) continue;
    if (resolution.ok()) {
      // No output value depends on pads_end, so that a difference there is none.
      for (oracle::Axis& axis : resolution.geometry->axes) axis.pads_end = 0;
    }
    const auto same = std::ranges::find(groups, resolution.geometry, &DialectGroup::geometry);
    DialectGroup& group = same == groups.end() ? groups.emplace_back() : *same;
    group.dialects.push_back(dialect);
    if (!resolution.open.empty()) group.open.push_back(dialect);
    group.geometry = std::move(resolution.geometry);
  }
  return groups;
}

bool Decides(std::span<const DialectGroup> groups) {
  return groups.size() > 1 && std::ranges::all_of(groups, [](const DialectGroup& group) {
           return !group.geometry || group.geometry->OutputCount() <= kMostOutputs;
         });
}

std::vector<std::string> FittingDialects(std::span<const DialectGroup> groups, const Observation& observation,
                                         const Capabilities& declared) {
  std::vector<std::string> fits;
  for (const DialectGroup& group : groups) {
    const bool fitting = Fits(group, observation, declared);
    const bool refused = IsRefusal(observation.answer);
    const std::vector<oracle::Dialect> none;
    for (const oracle::Dialect dialect : fitting ? group.dialects : (refused ? group.open : none)) {
      fits.emplace_back(DialectName(dialect));
    }
  }
  return fits;
}

std::vector<DialectFit> FitsOf(std::span<const CaseResult> results) {
  std::vector<DialectFit> fits;
  std::vector<std::map<std::string, std::size_t>> counts;
  for (const CaseResult& result : results) {
    if (!result.answer.fits) continue;
    auto at =
        static_cast<std::size_t>(std::ranges::find(fits, result.judged.dialect, &DialectFit::declared) - fits.begin());
    if (at == fits.size()) {
      fits.emplace_back().declared = result.judged.dialect;
      counts.emplace_back();
    }
    ++fits[at].deciding;
    for (const std::string& dialect : *result.answer.fits) ++counts[at][dialect];
  }
  for (std::size_t i = 0; i < fits.size(); ++i) {
    DialectFit& fit = fits[i];
    fit.fitting = counts[i][fit.declared];
    for (const auto& [dialect, count] : counts[i]) {
      if (count <= std::max(fit.fitting, fit.better_fitting)) continue;
      fit.better = dialect;
      fit.better_fitting = count;
    }
  }
  return fits;
}

}  // namespace conformance
