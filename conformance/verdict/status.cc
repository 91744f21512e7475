// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Looks up the names of statuses and failure classes.

#include "conformance/verdict/status.h"

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

}  // namespace conformance
