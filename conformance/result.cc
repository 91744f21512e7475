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

std::string DimsText(const oracle::Dims& dims) { return fmt::format("[{}]", fmt::join(dims, ",")); }

}  // namespace conformance
