// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes the counts of each dimension and the most frequent reasons.

#include "conformance/report/support/support_text.h"

#include <algorithm>

#include <fmt/format.h>

namespace conformance {
namespace {

constexpr std::size_t kShownReasons = 10;
constexpr std::size_t kWidth = 118;

}  // namespace

std::string_view SourceOf(const SupportReason& reason) { return reason.asked ? "said when asked" : "declared"; }

namespace {

/// The source in brackets, if the reason does not say it.
std::string SourceBehind(const SupportReason& reason) {
  const bool says = !reason.asked && reason.reason.find("declared") != std::string::npos;
  return says ? "" : fmt::format(" ({})", SourceOf(reason));
}

}  // namespace

std::string SupportLines(const SupportMap& map, SupportReasons reasons) {
  if (map.all.whole()) return "";
  std::string text = fmt::format("support: {} of {} cases of the declared operators ({})\n", map.all.supported,
                                 map.all.total, ShareText(map.all));
  for (std::size_t i = 0; i < kSupportDimensions.size(); ++i) {
    std::string line = fmt::format("  {:<15} ", kSupportDimensions.at(i));
    const std::size_t indent = line.size();
    bool any = false;
    for (const SupportMap::Value& value : map.ValuesOf(i)) {
      if (value.count.whole()) continue;
      const std::string words = fmt::format("{}: {} of {}", value.name, value.count.supported, value.count.total);
      if (any && line.size() + words.size() + 2 > kWidth) {
        text += line + ",\n";
        line = std::string(indent, ' ');
        any = false;
      }
      line += (any ? ", " : "") + words;
      any = true;
    }
    if (any) text += line + '\n';
  }
  if (reasons == SupportReasons::kLeftOut) return text;
  const std::size_t shown = std::min(kShownReasons, map.reasons.size());
  for (std::size_t i = 0; i < shown; ++i) {
    text += fmt::format("  {:>5} not supported: {}{}\n", map.reasons[i].cases, map.reasons[i].reason,
                        SourceBehind(map.reasons[i]));
  }
  if (shown < map.reasons.size()) text += fmt::format("  ... and {} more reasons\n", map.reasons.size() - shown);
  return text;
}

std::string SupportMarkdown(const SupportMap& map, const std::function<std::string(std::string_view)>& escape) {
  std::string text = fmt::format("Supported: {} of {} cases of the declared operators ({}).\n\n", map.all.supported,
                                 map.all.total, ShareText(map.all));
  text += "| | | supported | cases | share |\n|---|---|---:|---:|---:|\n";
  for (std::size_t i = 0; i < kSupportDimensions.size(); ++i) {
    for (const SupportMap::Value& value : map.ValuesOf(i)) {
      text += fmt::format("| {} | {} | {} | {} | {} |\n", escape(kSupportDimensions.at(i)), escape(value.name),
                          value.count.supported, value.count.total, ShareText(value.count));
    }
  }
  if (map.reasons.empty()) return text;
  text += "\n| cases | reason | |\n|---:|---|---|\n";
  for (const SupportReason& reason : map.reasons) {
    text += fmt::format("| {} | {} | {} |\n", reason.cases, escape(reason.reason), SourceOf(reason));
  }
  return text;
}

}  // namespace conformance
