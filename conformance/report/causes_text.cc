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
  return fmt::format("{} for {} failure{} ({} run again, {:.1f} s{})", causes.causes.size(), causes.failures,
                     causes.failures == 1 ? "" : "s", causes.tried, causes.seconds,
                     causes.out_of_time ? "; the time limit ended the search" : "");
}

std::vector<std::string> CauseNotes(const Cause& cause) {
  std::vector<std::string> notes = cause.details;
  if (cause.presumed != 0) {
    notes.push_back(fmt::format("{} of them were not run again; they have the same failure class", cause.presumed));
  }
  return notes;
}

std::string CausesText(const FailureCauses& causes, std::span<const CaseResult> results, std::string_view backend) {
  constexpr std::size_t kShown = 10;
  if (causes.causes.empty() && causes.not_looked_for.empty()) return {};
  std::string text = fmt::format("causes: {}\n", CausesHeadline(causes));
  for (std::size_t i = 0; i < std::min(kShown, causes.causes.size()); ++i) {
    const Cause& cause = causes.causes[i];
    text += fmt::format("{:>3}. {} failure{}: {}\n", i + 1, cause.failures.size(),
                        cause.failures.size() == 1 ? "" : "s", cause.title);
    for (const std::string& note : CauseNotes(cause)) text += fmt::format("     {}\n", note);
    const CaseResult* smallest = ResultAt(results, cause.smallest);
    if (smallest != nullptr) text += fmt::format("     smallest: {}\n", ReplayCommand(backend, *smallest));
  }
  if (causes.causes.size() > kShown) text += fmt::format("     ... and {} more\n", causes.causes.size() - kShown);
  return text;
}

}  // namespace conformance
