// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Names of verdicts.

#include "conformance/result.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

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

std::string ReplayCommand(std::string_view backend, std::string_view line) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=,@%+-";
  std::string quoted(backend);
  if (quoted.find_first_not_of(kPlain) != std::string::npos) {
    for (std::size_t at = 0; (at = quoted.find('\'', at)) != std::string::npos; at += 4) quoted.replace(at, 1, "'\\''");
    quoted = "'" + quoted + "'";
  }
  return fmt::format("deconv-cts replay --backend {} {}", quoted, line);
}

std::string DimsText(const oracle::Dims& dims) { return fmt::format("[{}]", fmt::join(dims, ",")); }

}  // namespace conformance
