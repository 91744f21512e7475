// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes JUnit and SARIF reports of a fuzzing campaign. Turns the causes of its failures into the record of a run, as
// `deconv-cts run` makes it. The report writers of the suite can then be used.

#include "fuzz/campaign/campaign_reports.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "conformance/cli/version.h"
#include "conformance/report/report_formats.h"
#include "conformance/suite/case_lists/case_lists.h"

namespace fuzz {
namespace {

using conformance::CaseResult;

constexpr const char* kSuite = "campaign";

/// The number of the line in the regression file that holds the failing case. The failing case is the file's last one.
int LineOf(const CampaignOptions& options, const CampaignCause& cause) {
  const std::string text = RegressionText(options, cause);
  const auto begin = text.begin() + static_cast<std::ptrdiff_t>(text.rfind("\ncase: ") + 1);
  return 1 + static_cast<int>(std::count(text.begin(), begin, '\n'));
}

/// Makes the failing case that stands for a cause.
CaseResult FailingCaseOf(const CampaignOptions& options, const CampaignCause& cause) {
  CaseResult result = cause.result;
  const std::string name = FileNameOf(cause);
  const std::string file = options.folder + "/findings/" + name;
  result.origin = {.suite = kSuite,
                   .name = std::filesystem::path(name).stem().string(),
                   .reason = cause.title,
                   .file = file,
                   .file_line = LineOf(options, cause)};
  // Cases of one file run in one process, so a cause with earlier cases is replayed from its file.
  result.judged.line = cause.before.empty() ? cause.smallest : file;
  return result;
}

/// Makes the case "search". With it, the report of a campaign without findings has a case that passes.
CaseResult SearchCaseOf(const CampaignRecord& record) {
  CaseResult result;
  result.origin.suite = kSuite;
  result.origin.name = "search";
  result.seconds.total = record.seconds;
  std::string why = record.engine_error;
  if (record.judged == 0) why = "no case was within what the backend declares";
  if (record.cause_error) why = record.cause_error->message;
  const std::size_t without_cause = record.causes ? record.causes->unconfirmed.size() : record.findings.size();
  if (why.empty() && without_cause != 0) {
    why = fmt::format("{} findings without a cause: {}", without_cause,
                      record.causes ? "they passed when they were judged again" : "they were not judged again");
  }
  if (why.empty()) result.verdict.status = conformance::Status::kPass;
  result.verdict.message = std::move(why);
  return result;
}

}  // namespace

std::string CampaignReports::Open(const CampaignOptions& options) {
  if (!options.junit.empty() && options.junit == options.sarif) {
    return fmt::format("{}: named by both --junit and --sarif; give each report a file of its own", options.junit);
  }
  std::string error = options.junit.empty() ? "" : junit_.Open(options.junit);
  if (error.empty() && !options.sarif.empty()) error = sarif_.Open(options.sarif);
  return error;
}

std::string CampaignReports::Commit(const CampaignOptions& options, const CampaignRecord& record, int exit_code) {
  conformance::RunRecord run;
  run.backend = options.backend;
  run.declared = record.declared;
  run.seconds = record.seconds;
  run.results.push_back(SearchCaseOf(record));
  const std::size_t causes = record.causes ? record.causes->causes.size() : 0;
  for (std::size_t i = 0; i < causes; ++i) run.results.push_back(FailingCaseOf(options, record.causes->causes[i]));
  conformance::ListHash hash;
  for (std::size_t i = 0; i < run.results.size(); ++i) {
    run.results[i].origin.case_index = i;
    hash.Add(run.results[i].id(), run.results[i].judged.line);
  }
  run.case_list_hash = hash.Text();
  run.case_list_size = run.results.size();
  // After an interruption, findings may lack a verdict. The reports count all of them as not judged, and at least one:
  // only by this number do the reports say that the run was interrupted.
  const bool interrupted = options.interrupt != nullptr && *options.interrupt != 0;
  run.unjudged = interrupted ? std::max<std::size_t>(1, record.findings.size()) : 0;
  conformance::RunSummary summary = conformance::SummaryOf(run);
  summary.verdict_text = fmt::format("{} findings, {} causes", record.findings.size(), causes);
  summary.counts_text = fmt::format("{} executions, {} of them judged", record.executions, record.judged);
  conformance::RunDescription description;
  description.suite_version = conformance::kSuiteVersion;
  description.level = kSuite;
  description.seed = options.seed;
  description.case_list = "the smallest cases of a campaign's causes";
  description.exit_code = exit_code;
  std::string error;
  if (junit_.is_open()) error = junit_.Commit(conformance::JunitReport({&summary, 1}, description));
  if (!sarif_.is_open()) return error;
  std::string sarif_error = sarif_.Commit(conformance::SarifReport({&summary, 1}, description));
  return error.empty() ? sarif_error : error;
}

}  // namespace fuzz
