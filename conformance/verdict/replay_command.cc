// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes the shell command that replays a case: quotes the backend, and puts the limits on which a failure depends
// first.

#include "conformance/verdict/replay_command.h"

#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/case/text/shell_command.h"

namespace conformance {

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
  if (result.trace.replay_options.empty()) return ReplayCommand(backend, result.judged.line);
  return ReplayCommand(backend, fmt::format("{} {}", result.trace.replay_options, result.judged.line));
}

}  // namespace conformance
