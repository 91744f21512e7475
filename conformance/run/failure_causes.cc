// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Sorts the causes of failures for reports: the worst kind first (wrong outputs before crashes before refusals), and
// within a kind the cause with the most failures first.

#include "conformance/run/failure_causes.h"

#include <algorithm>
#include <cstdint>
#include <tuple>

namespace conformance {

void SortWorstFirst(std::vector<Cause>& causes) {
  std::ranges::sort(causes, {}, [](const Cause& cause) {
    return std::tuple(cause.kind, -static_cast<std::int64_t>(cause.failures.size()), cause.smallest);
  });
}

}  // namespace conformance
