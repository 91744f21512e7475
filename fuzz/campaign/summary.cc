// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// See summary.h.

#include "fuzz/campaign/summary.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "conformance/plan_hash.h"
#include "conformance/report/html.h"
#include "conformance/report/printable.h"
#include "conformance/report/report_file.h"
#include "fuzz/campaign/page.h"
#include "fuzz/version.h"

namespace fuzz {
namespace {

using Json = nlohmann::ordered_json;

Json ObjectOf(const CampaignOptions& options, const CampaignRecord& record) {
  Json object = {{"suite_version", kSuiteVersion},
                 {"backend", options.backend},
                 {"seed", options.seed},
                 {"jobs", options.jobs},
                 {"seconds", record.seconds},
                 {"executions", record.executions},
                 {"judged", record.judged},
                 {"rate", record.rate},
                 {"features", record.features},
                 {"inputs", record.inputs},
                 {"restarts", record.restarts},
                 {"findings", record.findings.size()},
                 {"last_finding", record.last_finding}};
  if (!record.engine_error.empty()) object["engine_error"] = record.engine_error;
  Json groups = Json::array();
  Json unconfirmed = Json::array();
  if (record.groups) {
    for (const FindingGroup& group : record.groups->groups) {
      groups.push_back({{"title", group.title},
                        {"hypotheses", group.hypotheses},
                        {"findings", group.findings},
                        {"failure", group.failure},
                        {"message", group.message},
                        {"found", group.line},
                        {"smallest", group.smallest},
                        {"file", "findings/" + FileNameOf(group)},
                        {"replay", ReplayOf(options.backend, group)}});
    }
    for (const FoundCase& found : record.groups->unconfirmed) {
      unconfirmed.push_back({{"case", found.line}, {"message", found.message}});
    }
  }
  object["groups"] = std::move(groups);
  object["unconfirmed"] = std::move(unconfirmed);
  Json curve = Json::array();
  for (const CurvePoint& point : record.curve) {
    curve.push_back(Json::array({point.seconds, point.executions, point.features, point.findings}));
  }
  object["curve"] = std::move(curve);
  return object;
}

std::string Write(const std::string& path, const std::string& content) {
  conformance::ReportFile file;
  if (std::string error = file.Open(path); !error.empty()) return error;
  return file.Commit(content);
}

// As corpus/README.md has it, for suite `regressions` and for `replay`.
std::string RegressionText(const CampaignOptions& options, const FindingGroup& group) {
  return fmt::format(
      "# Found by deconv-cts fuzz on backend {}, seed {}, suite {}.\n\ndefect: {}\n\nname: {}\ncase: {}\nseen: "
      "deconv-cts fuzz --backend {}\nwhy: {}\n",
      conformance::PrintableLine(options.backend), options.seed, kSuiteVersion, conformance::PrintableLine(group.title),
      group.failure, group.smallest, conformance::PrintableLine(options.backend),
      conformance::PrintableLine(group.message));
}

}  // namespace

std::string FileNameOf(const FindingGroup& group) {
  conformance::PlanHash hash;
  hash.Add("", group.smallest);
  return fmt::format("{}-{}.txt", group.failure, hash.Text().substr(0, 8));
}

std::string ReplayOf(const std::string& backend, const FindingGroup& group) {
  conformance::CaseResult result;
  result.line = group.smallest;
  result.replay_options = group.replay_options;
  return conformance::ReplayCommand(backend, result);
}

std::string WriteSummary(const std::string& folder, const CampaignOptions& options, const CampaignRecord& record) {
  const auto text = ObjectOf(options, record).dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  if (std::string error = Write(folder + "/campaign.json", text); !error.empty()) return error;
  if (std::string error = Write(folder + "/campaign.html", CampaignPage(options, record)); !error.empty()) return error;
  if (!record.groups) return {};
  std::set<std::string> files;
  for (const FindingGroup& group : record.groups->groups) {
    files.insert(FileNameOf(group));
    const std::string path = folder + "/findings/" + FileNameOf(group);
    if (std::string error = Write(path, RegressionText(options, group)); !error.empty()) return error;
  }
  // Those of causes that look otherwise now.
  std::error_code error;
  std::vector<std::filesystem::path> stale;
  for (const auto& entry : std::filesystem::directory_iterator(folder + "/findings", error)) {
    if (!files.contains(entry.path().filename().string())) stale.push_back(entry.path());
  }
  for (const auto& path : stale) std::filesystem::remove(path, error);
  conformance::RunDescription description;
  description.suite_version = kSuiteVersion;
  description.level = "campaign";
  description.seed = options.seed;
  description.plan = "findings of a campaign, and some of its corpus";
  description.exit_code = 1;
  return Write(folder + "/findings.html", HtmlReport({&record.groups->run, 1}, description));
}

std::optional<EarlierCampaign> ReadSummary(const std::string& path) {
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const auto object = nlohmann::json::parse(text, nullptr, false);
  if (!object.is_object()) return std::nullopt;
  EarlierCampaign earlier;
  try {
    earlier.backend = object.at("backend");
    CampaignRecord& record = earlier.record;
    record.seconds = object.at("seconds");
    record.executions = object.at("executions");
    record.judged = object.at("judged");
    record.features = object.at("features");
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
