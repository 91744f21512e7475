// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes the cases and verdicts as compact JSON for the page's script.

#include "conformance/report/html/html_data.h"

#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "conformance/case/text/json_text.h"
#include "conformance/report/picture_path.h"
#include "conformance/report/printable.h"

namespace conformance {
namespace {

using nlohmann::ordered_json;

// The lines of all cases of level gate are 2.3 MB: together with this a page stays below 5 MB.
constexpr std::size_t kMostDetailBytes = std::size_t{2} << 20;
constexpr std::size_t kMostBacktraceBytes = 4000;

ordered_json Number(double value) {
  if (!std::isfinite(value)) return nullptr;
  return std::strtod(fmt::format("{:.3g}", value).c_str(), nullptr);  // of a subnormal too, for which stod throws
}

/// Texts that many cases share, by their number.
class Texts {
 public:
  std::size_t NumberOf(const std::string& text) {
    const auto [at, is_new] = numbers_.try_emplace(text, texts_.size());
    if (is_new) texts_.push_back(PrintableText(text));
    return at->second;
  }
  ordered_json Take() { return std::exchange(texts_, ordered_json::array()); }

 private:
  std::map<std::string, std::size_t> numbers_;
  ordered_json texts_ = ordered_json::array();
};

ordered_json PictureToJson(const WrongPicture& picture) {
  return {{"columns", picture.columns},
          {"rows", picture.rows},
          {"all", picture.all},
          {"some", picture.some},
          {"first", {picture.first_column, picture.first_row}},
          {"caption", picture.caption}};
}

ordered_json WrongToJson(const WrongOutput& wrong) {
  return {{"at", DimsText(wrong.coordinate)}, {"expected", PrintableText(wrong.expected)},
          {"got", PrintableText(wrong.got)},  {"error", Number(wrong.error)},
          {"bound", Number(wrong.bound)},     {"taps", wrong.taps}};
}

/// What a list shows of a case that is no plain pass.
ordered_json HeadOf(const CaseResult& result, std::size_t cause) {
  ordered_json head = ordered_json::object();
  if (result.status == Status::kFail) head["failure"] = FailureClassNameOf(result.failure);
  if (!result.message.empty()) head["message"] = PrintableLine(result.message);
  if (!result.expected.empty()) head["known"] = PrintableLine(result.expected);
  if (cause != 0) head["cause"] = cause;
  return head;
}

/// What is shown of it when somebody looks closer.
void AddDetails(ordered_json& head, const CaseResult& result) {
  head["clauses"] = result.clauses;
  if (!result.output_dims.empty()) head["dims"] = DimsText(result.output_dims);
  if (result.wrong_outputs != 0) {
    head["wrong"] = result.wrong_outputs;
    head["outputs"] = result.outputs;
  }
  const auto& output = result.status == Status::kFail ? result.first_wrong : result.first_loose;
  if (output) head["first"] = WrongToJson(*output);
  if (result.wrong_grid && output) {
    head["picture"] = PictureToJson(PictureOf(*result.wrong_grid, result.output_dims, output->coordinate));
  }
  if (!result.backtrace.empty()) head["backtrace"] = PrintableText(Shortened(result.backtrace, kMostBacktraceBytes));
}

std::map<std::size_t, std::size_t> CausesByPlace(const RunRecord& run) {
  std::map<std::size_t, std::size_t> causes;
  if (!run.causes) return causes;
  for (std::size_t i = 0; i < run.causes->causes.size(); ++i) {
    for (const std::size_t place : run.causes->causes[i].failures) causes[place] = i + 1;
  }
  return causes;
}

class PageDataMaker {
 public:
  void Add(const RunRecord& run) {
    const std::map<std::size_t, std::size_t> causes = CausesByPlace(run);
    ordered_json results = ordered_json::array();
    for (const CaseResult& result : run.results) {
      const auto cause = causes.find(result.place);
      ordered_json entry = {CaseNumber(result), static_cast<int>(result.status), texts_.NumberOf(result.dialect),
                            Number(result.worst_ratio)};
      if (result.status != Status::kPass || !result.message.empty()) {
        entry.push_back(Told(result, cause == causes.end() ? 0 : cause->second));
      }
      results.push_back(std::move(entry));
    }
    backends_.push_back({{"name", PrintableLine(run.backend)},
                         {"replay", PrintableLine(ReplayCommand(run.backend, ""))},
                         {"results", std::move(results)}});
  }

  ordered_json Take() {
    ordered_json statuses = ordered_json::array();
    for (const StatusWord& word : kStatuses) statuses.push_back({{"name", word.name}, {"sentence", word.sentence}});
    ordered_json failures = ordered_json::object();
    for (const FailureClassName& entry : kFailureClasses) failures[entry.name] = entry.sentence;
    return {{"statuses", statuses},       {"failures", failures}, {"texts", texts_.Take()},
            {"cases", std::move(cases_)}, {"short", short_},      {"backends", std::move(backends_)}};
  }

 private:
  std::size_t CaseNumber(const CaseResult& result) {
    const auto [at, is_new] = numbers_.try_emplace({result.suite, result.name, result.line}, cases_.size());
    if (is_new) {
      cases_.push_back({texts_.NumberOf(result.suite), PrintableLine(result.name), PrintableLine(result.line),
                        texts_.NumberOf(result.reason)});
    }
    return at->second;
  }

  ordered_json Told(const CaseResult& result, std::size_t cause) {
    ordered_json told = HeadOf(result, cause);
    if (!result.replay_options.empty()) told["options"] = PrintableLine(result.replay_options);
    if (result.status != Status::kFail && result.status != Status::kLoose) return told;
    if (detail_bytes_ > kMostDetailBytes) {
      ++short_;
      told["short"] = true;
      return told;
    }
    AddDetails(told, result);
    detail_bytes_ += JsonText(told).size();
    return told;
  }

  std::map<std::tuple<std::string_view, std::string_view, std::string_view>, std::size_t> numbers_;
  Texts texts_;
  ordered_json cases_ = ordered_json::array();
  ordered_json backends_ = ordered_json::array();
  std::size_t detail_bytes_ = 0;
  std::size_t short_ = 0;
};

}  // namespace

std::string PageData(std::span<const RunRecord> runs) {
  PageDataMaker maker;
  for (const RunRecord& run : runs) maker.Add(run);
  const std::string text = JsonText(maker.Take());
  // "</script" ends the element wherever it stands; in JSON "<" stands in strings alone, where an escape is the same.
  std::string safe;
  safe.reserve(text.size());
  for (const char c : text) {
    if (c == '<') {
      safe += "\\u003c";
    } else {
      safe += c;
    }
  }
  return safe;
}

}  // namespace conformance
