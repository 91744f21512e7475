// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Looks up the names of verdicts, and writes the command that replays a case.

#include "conformance/verdict/result.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/case/text/shell_word.h"

namespace conformance {

std::string_view StatusName(Status status) {
  for (const StatusWord& word : kStatuses) {
    if (word.status == status) return word.name;
  }
  return "unknown";
}

std::string_view FailureClassNameOf(FailureClass failure) {
  for (const FailureClassName& entry : kFailureClasses) {
    if (entry.failure == failure) return entry.name;
  }
  return "none";
}

void CaseResult::SetCase(Case judged) {
  line = ToLine(judged);
  test_case = std::make_shared<const Case>(std::move(judged));
}

const CaseResult* ResultAt(std::span<const CaseResult> results, std::size_t place) {
  const auto found = std::ranges::lower_bound(results, place, {}, &CaseResult::place);
  return found != results.end() && found->place == place ? &*found : nullptr;
}

void NeededTolerance::Include(const NeededTolerance& other) {
  rtol = std::max(rtol, other.rtol);
  atol = std::max(atol, other.atol);
  atol_beside = std::max(atol_beside, other.atol_beside);
  ulps = std::max(ulps, other.ulps);
  outputs += other.outputs;
  cancelling += other.cancelling;
}

std::string ReplayFlags(const LimitsToRepeat& limits) {
  std::vector<std::string> flags;
  if (limits.timeout_seconds) flags.push_back(fmt::format("--timeout {:g}", *limits.timeout_seconds));
  if (limits.worker_memory_gib) flags.push_back(fmt::format("--worker-memory {:g}", *limits.worker_memory_gib));
  if (limits.memory_gib) flags.push_back(fmt::format("--memory {:g}", *limits.memory_gib));
  if (limits.work) flags.push_back(fmt::format("--work {:g}", *limits.work));
  return fmt::format("{}", fmt::join(flags, " "));
}

std::string ReplayCommand(std::string_view backend, std::string_view line) {
  if (backend == kRecordedBackend) return fmt::format("deconv-cts judge-recorded {}", line);
  return fmt::format("deconv-cts replay --backend {} {}", ShellWord(backend), line);
}

std::string ReplayCommand(std::string_view backend, const CaseResult& result) {
  if (result.replay_options.empty()) return ReplayCommand(backend, result.line);
  return ReplayCommand(backend, fmt::format("{} {}", result.replay_options, result.line));
}

std::string DimsText(const oracle::Dims& dims) { return fmt::format("[{}]", fmt::join(dims, ",")); }

}  // namespace conformance
