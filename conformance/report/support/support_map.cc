// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Classifies the cases of a run by their operators, counts those that the backend supports, and writes the counts as
// JSON.

#include "conformance/report/support/support_map.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "conformance/case/case.h"
#include "conformance/interface/describe_operator.h"
#include "conformance/interface/unsupported.h"
#include "conformance/verdict/result_of_case.h"
#include "oracle/dialect.h"

namespace conformance {
namespace {

/// The first dimension that a text names only if its value is not the plainest: after operator, type and rank.
constexpr SupportClass::size_type kFirstFeature = 3;
/// The values of the plainest operator, in the order of kSupportDimensions. No operator, type or rank is plainer.
constexpr std::array<std::string_view, kSupportDimensions.size()> kPlainest = {
    "", "", "", "1", "1", "1", "symmetric", "0", "explicit", "none", "NCX", "full"};

/// The key by which values are sorted: operators and types as in their lists, the plainest value first, others by
/// length, so that ranks are in the order of numbers.
std::tuple<std::size_t, std::size_t, std::string> OrderOf(std::size_t dimension, const std::string& value) {
  std::size_t rank = 0;
  for (const oracle::OperatorKind kind : oracle::kOperatorKinds) {
    ++rank;
    if (value == OperatorKindName(kind)) return {rank, 0, value};
  }
  for (const oracle::ElementType type : oracle::kNumericTypes) {
    ++rank;
    if (value == ElementTypeName(type)) return {rank, 0, value};
  }
  return {value == kPlainest.at(dimension) ? 0 : 1, value.size(), value};
}

}  // namespace

SupportClass SupportClassOf(const oracle::Operator& op, const oracle::Geometry& geometry) {
  const std::uint32_t required = RequiredBits(op, geometry);
  const auto needs = [&](std::uint32_t bit) { return (required & bit) != 0; };
  std::string layout = needs(DECONV_UNSUPPORTED_NXC) ? "NXC" : "NCX";
  if (needs(DECONV_UNSUPPORTED_OIX)) layout += " OIX";
  if (needs(DECONV_UNSUPPORTED_XIO)) layout += " XIO";
  return {std::string(OperatorKindName(op.kind)),
          std::string(ElementTypeName(op.data.type)),
          std::to_string(op.data.dims.size()),
          needs(DECONV_UNSUPPORTED_GROUPS) ? "above 1" : "1",
          needs(DECONV_UNSUPPORTED_DILATIONS) ? "above 1" : "1",
          needs(DECONV_UNSUPPORTED_STRIDES) ? "above 1" : "1",
          needs(DECONV_UNSUPPORTED_NEGATIVE_PADS)     ? "negative"
          : needs(DECONV_UNSUPPORTED_ASYMMETRIC_PADS) ? "asymmetric"
                                                      : "symmetric",
          needs(DECONV_UNSUPPORTED_OUTPUT_PADDING) ? "above 0" : "0",
          needs(DECONV_UNSUPPORTED_AUTO_PAD) ? "automatic" : "explicit",
          needs(DECONV_UNSUPPORTED_SHAPE_INPUT)       ? "tensor"
          : needs(DECONV_UNSUPPORTED_SHAPE_ATTRIBUTE) ? "attribute"
                                                      : "none",
          std::move(layout),
          needs(DECONV_UNSUPPORTED_EMPTY_TENSORS) ? "empty" : "full"};
}

std::string SupportClassText(const SupportClass& support_class) {
  std::string text = fmt::format("{} {} rank {}", support_class[0], support_class[1], support_class[2]);
  for (std::size_t i = kFirstFeature; i < support_class.size(); ++i) {
    if (support_class.at(i) != kPlainest.at(i))
      text += fmt::format(", {} {}", kSupportDimensions.at(i), support_class.at(i));
  }
  return text;
}

std::string ShareText(const SupportCount& count) {
  if (count.total == 0) return "0 %";
  const double percent = 100 * static_cast<double>(count.supported) / static_cast<double>(count.total);
  if (count.whole() || count.supported == 0 || (percent >= 1 && percent < 99)) return fmt::format("{:.0f} %", percent);
  return fmt::format("{:.1f} %", std::clamp(percent, 0.1, 99.9));
}

std::vector<SupportMap::Value> SupportMap::ValuesOf(std::size_t dimension) const {
  std::map<std::string, SupportCount> sums;
  for (const auto& [support_class, support] : classes) {
    SupportCount& sum = sums[support_class.at(dimension)];
    sum.supported += support.count.supported;
    sum.total += support.count.total;
  }
  std::vector<Value> values;
  values.reserve(sums.size());
  for (const auto& [name, count] : sums) values.push_back({name, count});
  std::ranges::sort(values, {}, [&](const Value& value) { return OrderOf(dimension, value.name); });
  return values;
}

std::optional<bool> IsSupported(const CaseResult& result, const Capabilities& declared) {
  // A sweep (many operators in one case) and an invalid operator have no output dims.
  if (result.judged.output_dims.empty() || result.judged.test_case == nullptr) return std::nullopt;
  if ((declared.operators >> OperatorId(result.judged.test_case->op.kind) & 1) == 0) return std::nullopt;
  switch (result.verdict.status) {
    case Status::kPass:
    case Status::kImprecise:
    case Status::kVacuous:
      return true;
    case Status::kFail:
      return result.verdict.failure == FailureClass::kSuiteError ? std::nullopt : std::optional(true);
    case Status::kUndeclared:
    case Status::kUnsupported:
      return false;
    default:
      return std::nullopt;
  }
}

SupportMap SupportMapOf(std::span<const CaseResult> results, const Capabilities& declared) {
  SupportMap map;
  for (const oracle::OperatorKind kind : oracle::kOperatorKinds) {
    const auto dialects = oracle::DialectsOf(kind);
    const bool has_dialect = std::ranges::find_first_of(dialects, declared.dialects) != dialects.end();
    if (has_dialect && (declared.operators >> OperatorId(kind) & 1) != 0) map.operators.emplace(OperatorKindName(kind));
  }
  std::map<std::pair<bool, std::string>, std::size_t> reasons;
  for (const CaseResult& result : results) {
    const std::optional<bool> supported = IsSupported(result, declared);
    if (!supported) continue;
    ++map.all.total;
    map.all.supported += *supported ? 1 : 0;
    if (!*supported) ++reasons[{result.verdict.status == Status::kUnsupported, result.verdict.message}];
    const std::optional<oracle::Geometry> geometry = GeometryOf(result);
    if (!geometry) continue;
    SupportOfClass& support = map.classes[SupportClassOf(result.judged.test_case->op, *geometry)];
    ++support.count.total;
    support.count.supported += *supported ? 1 : 0;
    if (*supported || !support.line.empty()) continue;
    support.reason = result.verdict.message;
    support.line = result.judged.line;
  }
  for (const auto& [reason, cases] : reasons) {
    map.reasons.push_back({.cases = cases, .asked = reason.first, .reason = reason.second});
  }
  std::ranges::sort(map.reasons, {}, [](const SupportReason& reason) {
    return std::tuple(~reason.cases, reason.asked, reason.reason);  // ~ puts the most cases first
  });
  return map;
}

nlohmann::ordered_json SupportToJson(const SupportMap& map) {
  using nlohmann::ordered_json;
  ordered_json dimensions = ordered_json::object();
  for (std::size_t i = 0; i < kSupportDimensions.size(); ++i) {
    ordered_json values = ordered_json::object();
    for (const SupportMap::Value& value : map.ValuesOf(i)) {
      values[value.name] = {{"supported", value.count.supported}, {"total", value.count.total}};
    }
    dimensions[std::string(kSupportDimensions.at(i))] = std::move(values);
  }
  ordered_json reasons = ordered_json::array();
  for (const SupportReason& reason : map.reasons) {
    reasons.push_back({{"cases", reason.cases}, {"asked", reason.asked}, {"reason", reason.reason}});
  }
  ordered_json classes = ordered_json::array();
  for (const auto& [support_class, support] : map.classes) {
    ordered_json row = ordered_json::object();
    for (std::size_t i = 0; i < kSupportDimensions.size(); ++i)
      row[std::string(kSupportDimensions.at(i))] = support_class.at(i);
    row["supported"] = support.count.supported;
    row["total"] = support.count.total;
    classes.push_back(std::move(row));
  }
  return {{"supported", map.all.supported},
          {"total", map.all.total},
          {"dimensions", std::move(dimensions)},
          {"reasons", std::move(reasons)},
          {"classes", std::move(classes)}};
}

}  // namespace conformance
