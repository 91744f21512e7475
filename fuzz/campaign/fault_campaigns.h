// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Measures how soon an engine, a process with libFuzzer, finds each planted fault. A planted fault is a defect that a
// test backend has on purpose. The result shows how good the fuzzer is.

#ifndef DECONV_FUZZ_CAMPAIGN_FAULT_CAMPAIGNS_H_
#define DECONV_FUZZ_CAMPAIGN_FAULT_CAMPAIGNS_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "conformance/mutants/faults/fault.h"
#include "fuzz/cases/settings.h"

namespace fuzz {

/// The faults that are searched for, and the options of the searches.
struct FaultSearchOptions {
  std::string engine;
  std::vector<const conformance::faults::Fault*> faults;
  std::vector<Mutation> mutations = {Mutation::kCases};  ///< ways to make new inputs; each has its own searches
  std::uint32_t seeds = 5;                               ///< searches for each fault and way, with the seeds 1, 2, ...
  double limit_seconds = 60;                             ///< a search ends after this time
  int jobs = 1;                                          ///< searches at once
  const std::atomic<int>* interrupt = nullptr;           ///< a value other than 0 ends the search
};

/// One search, from an empty corpus.
struct Search {
  double seconds = 0;
  std::uint64_t executions = 0;
  bool found = false;
};

/// All searches for one fault.
struct SearchedFault {
  const conformance::faults::Fault* fault = nullptr;
  std::vector<std::vector<Search>> searches;  ///< searches by mutation, then by seed

  /// Medians over the seeds, for one way to make inputs: `mutation` is an index into FaultSearchOptions::mutations. A
  /// search that found nothing counts as if it had found the fault at its end.
  double MedianSeconds(std::size_t mutation) const;
  double MedianExecutions(std::size_t mutation) const;
  /// Whether at least half of the searches ended without finding the fault.
  bool MissedInMedian(std::size_t mutation) const;
};

/// Runs each search in a separate process. `on_done` is called with the number of searches that have ended.
/// After an interruption MeasureFuzzing returns the faults whose searches have all ended. Throws std::runtime_error if
/// an engine cannot be started.
std::vector<SearchedFault> MeasureFuzzing(const FaultSearchOptions& options,
                                          const std::function<void(std::size_t)>& on_done);

/// The median of the numbers.
double MedianOf(std::vector<double> numbers);

}  // namespace fuzz

#endif  // DECONV_FUZZ_CAMPAIGN_FAULT_CAMPAIGNS_H_
