// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes and reads campaign.json, the summary of a fuzzing campaign. Writes the reports and the regression files of the
// campaign's folder. A regression file holds the smallest case of one cause of failures, which `replay` can run.

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "conformance/case/text/files.h"
#include "conformance/case/text/json_text.h"
#include "conformance/cli/version.h"
#include "conformance/report/printable.h"
#include "conformance/report/report_file.h"
#include "conformance/report/report_formats.h"
#include "conformance/suite/case_lists/case_lists.h"
#include "conformance/verdict/replay_command.h"
#include "fuzz/campaign/campaign_reports.h"

namespace fuzz {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::string_view kRegressionBegin = "# Found by deconv-cts fuzz on backend ";

/// The content of campaign.json.
Json JsonOf(const CampaignOptions& options, const CampaignRecord& record) {
  Json object = {{"suite_version", conformance::kSuiteVersion},
                 {"backend", options.backend},
                 {"seed", options.seed},
                 {"jobs", options.jobs},
                 {"seconds", record.seconds},
                 {"executions", record.executions},
                 {"judged", record.judged},
                 {"guarded", record.guarded},
                 {"not_kept",
                  {{"duplicates", record.not_kept.duplicates},
                   {"explained", record.not_kept.explained},
                   {"untried", record.not_kept.untried},
                   {"expected", record.not_kept.expected}}},
                 {"rate", record.rate},
                 {"features", record.features},
                 {"inputs", record.inputs},
                 {"restarts", record.restarts},
                 {"findings", record.findings.size()},
                 {"last_finding", record.last_finding}};
  if (!record.sandbox.empty()) object["sandbox"] = record.sandbox;
  if (record.causes) object["judged_again"] = record.causes->judged;
  if (!record.engine_error.empty()) object["engine_error"] = record.engine_error;
  const std::vector<std::string> remarks = RemarksOf(record);
  if (!remarks.empty()) object["remarks"] = remarks;
  Json causes = Json::array();
  Json unconfirmed = Json::array();
  if (record.causes) {
    for (const CampaignCause& cause : record.causes->causes) {
      causes.push_back({{"title", cause.title},
                        {"hypotheses", cause.hypotheses},
                        {"findings", cause.findings},
                        {"failure", cause.failure},
                        {"message", cause.message},
                        {"found", cause.line},
                        {"smallest", cause.smallest},
                        {"before", cause.before},
                        {"file", "findings/" + FileNameOf(cause)},
                        {"replay", ReplayOf(options, cause)}});
    }
    for (const FoundCase& found : record.causes->unconfirmed) {
      unconfirmed.push_back({{"case", found.line}, {"message", found.message}});
    }
  }
  object["groups"] = std::move(causes);
  object["unconfirmed"] = std::move(unconfirmed);
  Json curve = Json::array();
  for (const CurvePoint& point : record.curve) {
    curve.push_back(Json::array({point.seconds, point.executions, point.features, point.findings}));
  }
  object["curve"] = std::move(curve);
  return object;
}

/// Writes a file as a whole or not at all. Returns an empty string, or why it could not be written.
std::string WriteFile(const std::string& path, const std::string& content) {
  conformance::ReportFile file;
  if (std::string error = file.Open(path); !error.empty()) return error;
  return file.Commit(content);
}

// Moves regression files of `folder` whose names are not in `present` to earlier/ below it. They come from earlier
// campaigns: their bugs may be fixed, or this campaign did not find them again. All other files belong to the user and
// stay. If earlier/ has another file of that name, a number is added to the name. Returns an empty string, or the first
// error.
std::string MoveToEarlier(const fs::path& folder, const std::set<std::string>& present) {
  std::error_code error;
  std::error_code ignored;
  std::vector<fs::path> files;
  for (fs::directory_iterator entry(folder, error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    const fs::path& path = entry->path();
    if (path.extension() != ".txt" || present.contains(path.filename().string())) continue;
    if (entry->is_regular_file(ignored)) files.push_back(path);
  }
  if (error) return fmt::format("{}: cannot be read: {}", folder.string(), error.message());
  const fs::path earlier = folder / "earlier";
  for (const fs::path& path : files) {
    const auto text = conformance::ReadWholeFile(path);
    if (!text || !text->starts_with(kRegressionBegin)) continue;
    fs::create_directories(earlier, error);
    fs::path target = earlier / path.filename();
    for (int i = 2; fs::exists(target, error) && conformance::ReadWholeFile(target) != text; ++i) {
      target = earlier / fmt::format("{}.{}.txt", path.stem().string(), i);
    }
    fs::rename(path, target, error);
    if (error) return fmt::format("{}: cannot be moved to {}: {}", path.string(), target.string(), error.message());
  }
  return {};
}

}  // namespace

std::string RegressionText(const CampaignOptions& options, const CampaignCause& cause) {
  const std::string backend = conformance::PrintableLine(options.backend);
  std::string text = fmt::format("{}{}, seed {}, suite {}.\n\ndefect: {}\n", kRegressionBegin, backend, options.seed,
                                 conformance::kSuiteVersion, conformance::PrintableLine(cause.title));
  const auto add = [&](const std::string& name, const std::string& line, const std::string& why) {
    text +=
        fmt::format("\nname: {}\ncase: {}\nseen: deconv-cts fuzz --backend {}\nwhy: {}\n", name, line, backend, why);
  };
  for (std::size_t i = 0; i < cause.before.size(); ++i) {
    add(fmt::format("before-{}", i + 1), cause.before[i], "passes; the case at the end fails after it in one process");
  }
  add(cause.failure, cause.smallest, conformance::PrintableLine(cause.message));
  return text;
}

std::string FileNameOf(const CampaignCause& cause) {
  conformance::ListHash hash;
  hash.Add("", cause.smallest);
  for (const std::string& line : cause.before) hash.Add("", line);
  return fmt::format("{}-{}.txt", cause.failure, hash.Text().substr(0, 8));
}

std::string ReplayOf(const CampaignOptions& options, const CampaignCause& cause) {
  conformance::CaseResult result;
  // Cases of one file run in one process, so a cause with earlier cases is replayed from its file.
  result.judged.line = cause.before.empty() ? cause.smallest : options.folder + "/findings/" + FileNameOf(cause);
  result.trace.replay_options = cause.replay_options;
  return conformance::ReplayCommand(options.backend, result);
}

std::vector<std::string> RemarksOf(const CampaignRecord& record) {
  std::vector<std::string> remarks;
  if (!record.sandbox.empty()) remarks.push_back("sandbox: " + record.sandbox);
  if (record.executions != 0) {
    remarks.push_back(fmt::format("{} of the cases judged behind guard pages", record.guarded));
  }
  if (record.restarts != 0) {
    remarks.push_back(
        fmt::format("engines ended early and were started again: {} times; the ends of their output "
                    "are in state/engine-*.log",
                    record.restarts));
  }
  if (const NotKept& not_kept = record.not_kept; not_kept.all() != 0) {
    remarks.push_back(
        fmt::format("{} more failing cases were not kept: {} that causes found before explain, {} duplicates, {} known "
                    "failures, {} "
                    "that were not compared, because their kinds were full or the comparisons took too long",
                    not_kept.all(), not_kept.explained, not_kept.duplicates, not_kept.expected, not_kept.untried));
  }
  if (record.causes && record.causes->judged < record.causes->different) {
    remarks.push_back(fmt::format("{} of {} findings judged again, where equal cases count once", record.causes->judged,
                                  record.causes->different));
  }
  const auto conflicts = record.causes ? record.causes->conflicts : decltype(record.causes->conflicts)();
  for (const auto& [one, other] : conflicts) {
    remarks.push_back(fmt::format(
        "the planted faults {} and {} change the same step, so they were not tried together; a case on which both "
        "defects act may be a cause of its own",
        one, other));
  }
  if (record.causes && record.causes->out_of_time) {
    remarks.emplace_back(
        "the search for causes ended when its time was used up; --time 0 --diagnosis-seconds S looks longer");
  }
  if (record.expected != 0) remarks.push_back(fmt::format("{} findings are known failures", record.expected));
  const std::size_t unreadable = record.unreadable + (record.causes ? record.causes->unreadable : 0);
  if (unreadable != 0) remarks.push_back(fmt::format("{} lines of findings.jsonl cannot be read", unreadable));
  remarks.insert(remarks.end(), record.notes.begin(), record.notes.end());
  return remarks;
}

std::string WriteRegressionFile(const std::string& folder, const CampaignOptions& options, const CampaignCause& cause) {
  return WriteFile(folder + "/findings/" + FileNameOf(cause), RegressionText(options, cause));
}

std::string WriteSummary(const std::string& folder, const CampaignOptions& options, const CampaignRecord& record) {
  std::string first_error;
  const auto write = [&](const std::string& name, const std::string& content) {
    std::string error = WriteFile(folder + "/" + name, content);
    if (first_error.empty()) first_error = std::move(error);
  };
  const auto text = conformance::JsonText(JsonOf(options, record), 1) + "\n";
  write("campaign.json", text);
  write("campaign.html", CampaignPage(options, record));
  if (!record.causes) return first_error;
  std::set<std::string> files;
  for (const CampaignCause& cause : record.causes->causes) {
    files.insert(FileNameOf(cause));
    std::string error = WriteRegressionFile(folder, options, cause);
    if (first_error.empty()) first_error = std::move(error);
  }
  if (first_error.empty() && record.causes->complete) first_error = MoveToEarlier(folder + "/findings", files);
  conformance::RunDescription description;
  description.suite_version = conformance::kSuiteVersion;
  description.level = "campaign";
  description.seed = options.seed;
  description.case_list = "findings of a campaign, and some of its corpus";
  description.exit_code = 1;
  write("findings.html", HtmlReport(conformance::SummariesOf({&record.causes->run, 1}), description));
  return first_error;
}

std::optional<EarlierCampaign> ReadSummary(const std::string& path) {
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const auto object = conformance::ParseJsonIfValid(text);
  if (!object.is_object()) return std::nullopt;
  EarlierCampaign earlier;
  try {
    earlier.backend = object.at("backend");
    CampaignRecord& record = earlier.record;
    record.seconds = object.at("seconds");
    record.executions = object.at("executions");
    record.judged = object.at("judged");
    record.features = object.at("features");
    record.guarded = object.value("guarded", record.guarded);
    if (const auto not_kept = object.find("not_kept"); not_kept != object.end()) {
      record.not_kept = {.duplicates = not_kept->at("duplicates"),
                         .explained = not_kept->at("explained"),
                         .untried = not_kept->at("untried"),
                         .expected = not_kept->at("expected")};
    }
    record.restarts = object.at("restarts");
    record.last_finding = object.at("last_finding");
    for (const auto& point : object.at("curve")) {
      record.curve.push_back({point.at(0), point.at(1), point.at(2), point.at(3)});
    }
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
  return earlier;
}

}  // namespace fuzz
