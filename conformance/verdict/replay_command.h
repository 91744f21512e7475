// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes the shell command with which a user runs a case of a report again.

#ifndef DECONV_CONFORMANCE_VERDICT_REPLAY_COMMAND_H_
#define DECONV_CONFORMANCE_VERDICT_REPLAY_COMMAND_H_

#include <optional>
#include <string>
#include <string_view>

#include "conformance/verdict/result.h"

namespace conformance {

/// The limits of a run that a replay must use too, because otherwise the failure might not occur again. An absent limit
/// keeps its default.
struct LimitsToRepeat {
  std::optional<double> timeout_seconds = std::nullopt;
  std::optional<double> worker_memory_gib = std::nullopt;
  std::optional<double> memory_gib = std::nullopt;
  std::optional<double> work = std::nullopt;
};

/// These limits as flags of `replay`; empty if there are none.
std::string ReplayFlags(const LimitsToRepeat& limits);

/// The backend's name in results of recorded outputs, for which no backend ran.
inline constexpr std::string_view kRecordedBackend = "recorded";

/// The command that judges the case again, for a shell.
std::string ReplayCommand(std::string_view backend, std::string_view line);
/// The same for the case of a result, with the flags without which the replay might pass.
std::string ReplayCommand(std::string_view backend, const CaseResult& result);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_VERDICT_REPLAY_COMMAND_H_
