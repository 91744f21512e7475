// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Formats the causes of failures for the console and for reports.

#include "conformance/report/causes_text.h"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

namespace conformance {

std::string CausesHeadline(const FailureCauses& causes) {
  if (!causes.not_looked_for.empty()) return fmt::format("not looked for: {}", causes.not_looked_for);
  return fmt::format("{} cause{} of {} failure{}{}", causes.causes.size(), causes.causes.size() == 1 ? "" : "s",
                     causes.failures, causes.failures == 1 ? "" : "s", causes.causes.size() > 1 ? ", worst first" : "");
}

std::vector<std::string> CauseNotes(const Cause& cause) {
  std::vector<std::string> notes = cause.details;
  if (cause.presumed != 0) {
    notes.push_back(fmt::format("{} of the failures were not run again; they are of the same kind", cause.presumed));
  }
  return notes;
}

std::string CausesText(const FailureCauses& causes, std::span<const CaseResult> results, std::string_view backend) {
  constexpr std::size_t kShown = 12;
  if (causes.causes.empty() && causes.not_looked_for.empty()) return {};
  std::string text = fmt::format("{}{}\n", causes.not_looked_for.empty() ? "" : "causes: ", CausesHeadline(causes));
  const std::size_t shown = std::min(kShown, causes.causes.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const Cause& cause = causes.causes[i];
    text += fmt::format("{:>3}. {} failure{}: {}\n", i + 1, cause.failures.size(),
                        cause.failures.size() == 1 ? "" : "s", cause.title);
    for (const std::string& note : CauseNotes(cause)) text += fmt::format("     {}\n", note);
    const CaseResult* smallest = ResultAt(results, cause.smallest);
    if (smallest != nullptr) text += fmt::format("     {}\n", ReplayCommand(backend, *smallest));
  }
  if (causes.causes.size() > shown) {
    text += fmt::format("     ... and {} more causes; --html, --json and --markdown list all\n",
                        causes.causes.size() - shown);
  }
  if (causes.out_of_time) {
    text += "the search for causes has used up its questions to the backend; --diagnosis-seconds allows more\n";
  }
  return text;
}

}  // namespace conformance
