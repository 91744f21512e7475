// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes the HTML report: inserts the JSON report into the template of the page, whose script draws it. The data is
// escaped so that it cannot end its script element.

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "conformance/case/text/json_text.h"
#include "conformance/report/html/page_assets.h"
#include "conformance/report/json.h"
#include "conformance/report/printable.h"
#include "conformance/report/report_formats.h"
#include "conformance/report/summary.h"

namespace conformance {
namespace {

using nlohmann::ordered_json;

// The most bytes of details. The case lines of level gate take 2.3 MB; with the details a page stays below 8 MB.
constexpr std::size_t kMostDetailBytes = std::size_t{1} << 20;
constexpr std::size_t kMostBacktraceBytes = 4000;  // of one case, a guess

/// The members of a case record that the list of cases and its filter need of every case.
constexpr std::array<std::string_view, 10> kShown = {
    "place",  "id",      "case",    "status",   "worst_error_over_bound",
    "reason", "message", "failure", "expected", "replay_options"};
/// The members that an opened failure or imprecise case shows in addition.
constexpr std::array<std::string_view, 9> kDetails = {"clauses",         "output_dims", "outputs",
                                                      "wrong_outputs",   "dialect",     "first_wrong",
                                                      "first_imprecise", "wrong_grid",  "backtrace"};

/// Reduces the records of a report to the members that the page shows.
class PageRecords {
 public:
  void Add(ordered_json record) {
    if (record.at("record") == "support") return;  // its table stands in the summary
    text_ += text_.empty() ? '[' : ',';
    text_ += EscapedForScript(JsonText(record.at("record") == "case" ? CaseOf(record) : record));
  }
  std::string Build() { return std::move(text_) + ']'; }

 private:
  /// The record of a case with the members that the page shows. Failures beyond the limit of details get `short`.
  ordered_json CaseOf(const ordered_json& record) {
    ordered_json shown = ordered_json::object();
    const auto copy = [&](std::string_view member) {
      const auto at = record.find(member);
      if (at != record.end()) shown[std::string(member)] = *at;
    };
    std::ranges::for_each(kShown, copy);
    ShareCase(shown);
    const std::string status = record.at("status");
    if (status != "fail" && status != "imprecise") return shown;
    if (detail_bytes_ > kMostDetailBytes) {
      shown["short"] = true;
      return shown;
    }
    std::ranges::for_each(kDetails, copy);
    if (shown.contains("backtrace"))
      shown["backtrace"] = Shortened(std::string(shown["backtrace"]), kMostBacktraceBytes);
    detail_bytes_ += JsonText(shown).size();
    return shown;
  }

  /// Writes id, line and reason of a case only for the first backend. Records of later backends have only its index.
  void ShareCase(ordered_json& shown) {
    const std::string line = shown.at("case");
    const auto [at, is_new] = lines_.try_emplace(shown.at("place"), line);
    if (is_new || at->second != line) return;
    for (const char* member : {"id", "case", "reason"}) shown.erase(member);
  }

  /// Escapes "<", because "</script" would end the element. In JSON "<" occurs only in strings, where it may be
  /// escaped.
  static std::string EscapedForScript(const std::string& text) {
    std::string escaped;
    for (const char c : PrintableText(text)) {
      if (c == '<') {
        escaped += "\\u003c";
      } else {
        escaped += c;
      }
    }
    return escaped;
  }

  std::map<std::size_t, std::string> lines_;  ///< the line of each case in the first backend's records, by case index
  std::size_t detail_bytes_ = 0;
  std::string text_;
};

/// The text with the escapes that HTML needs between tags.
std::string EscapedForHtml(std::string_view text) {
  std::string escaped;
  for (const char c : text) escaped += c == '<' ? "&lt;" : c == '&' ? "&amp;" : std::string(1, c);
  return escaped;
}

}  // namespace

std::string HtmlReport(std::span<const RunSummary> runs, const RunDescription& description) {
  PageRecords records;
  ForEachRecord(runs, description, [&](ordered_json record) { records.Add(std::move(record)); });
  const std::string title = EscapedForHtml(PrintableLine(fmt::format("{} - deconv-cts", Headline(runs))));
  const std::size_t title_at = kPage.find("@TITLE@");
  const std::size_t data_at = kPage.find("@DATA@");
  constexpr std::size_t kTitle = std::string_view("@TITLE@").size();
  constexpr std::size_t kData = std::string_view("@DATA@").size();
  return fmt::format("{}{}{}{}{}", kPage.substr(0, title_at), title,
                     kPage.substr(title_at + kTitle, data_at - title_at - kTitle), records.Build(),
                     kPage.substr(data_at + kData));
}

}  // namespace conformance
