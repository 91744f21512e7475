// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Divides a case list into batches, each of which one new process of the backend runs. A batch ends at 200 cases, 1e7
// products (multiplications of a data element by a weight) or 256 MiB of tensors, and where sweeps begin or end.

#include "conformance/run/case_batch.h"

namespace conformance {
namespace {

// The most cases, products and bytes of a batch. A full batch takes much longer than the start of a process, and yet
// every level has enough batches for all workers. Cases with few products may have gigabytes of output. The limit of
// bytes is a guess: a case of gigabytes becomes a batch of its own.
constexpr std::size_t kMostCases = 200;
constexpr double kMostProducts = 1e7;
constexpr double kMostBytes = 0x1p28;

}  // namespace

std::vector<CaseBatch> CaseBatchesOf(const std::vector<SuiteCase>& case_list,
                                     const std::vector<ResourceEstimate>& estimates) {
  std::vector<CaseBatch> case_batches;
  for (std::size_t i = 0; i < case_list.size(); ++i) {
    const auto bytes = static_cast<double>(estimates[i].bytes);
    const bool fits_in_last_batch =
        !case_batches.empty() && case_batches.back().end - case_batches.back().begin < kMostCases &&
        case_batches.back().products + estimates[i].products <= kMostProducts &&
        case_batches.back().bytes + bytes <= kMostBytes &&
        case_list[i].test_case.sweep.has_value() == case_list[i - 1].test_case.sweep.has_value();
    if (!fits_in_last_batch) case_batches.push_back({i, i});
    case_batches.back().end = i + 1;
    case_batches.back().products += estimates[i].products;
    case_batches.back().bytes += bytes;
  }
  return case_batches;
}

std::vector<std::size_t> RunningOrderOf(const std::vector<SuiteCase>& case_list, const CaseBatch& case_batch) {
  // Takes each case in turn, and directly behind it the later cases with its operator.
  std::vector<std::size_t> order;
  std::vector<bool> is_ordered(case_batch.end - case_batch.begin, false);
  for (std::size_t first = case_batch.begin; first < case_batch.end; ++first) {
    if (is_ordered[first - case_batch.begin]) continue;
    for (std::size_t i = first; i < case_batch.end; ++i) {
      if (case_list[i].test_case.op != case_list[first].test_case.op) continue;
      order.push_back(i);
      is_ordered[i - case_batch.begin] = true;
    }
  }
  return order;
}

}  // namespace conformance
