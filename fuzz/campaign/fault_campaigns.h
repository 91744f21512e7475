// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Measures how good the fuzzer is: how soon an engine, a process with libFuzzer, finds each planted fault. A planted
// fault is a defect that a test backend has on purpose. The command `power` (command_power.cc) prints the result.

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
  std::string engine;  ///< path of the program deconv-fuzz-engine
  std::vector<const conformance::faults::Fault*> faults;
  std::vector<Mutation> mutations = {Mutation::kCases};  ///< ways to make new inputs; each has its own searches
  std::uint32_t seeds = 5;                               ///< searches for each fault and way, with the seeds 1, 2, ...
  double limit_seconds = 60;                             ///< a search ends after this time; if it hangs, a bit later
  int jobs = 1;                                          ///< searches at once
  const std::atomic<int>* interrupt = nullptr;           ///< a value other than 0 ends the search
};

/// One search, from an empty corpus.
struct Search {
  double seconds = 0;            ///< how long it took
  std::uint64_t executions = 0;  ///< how many inputs were run
  bool found = false;            ///< whether it ended by finding the fault
};

/// All searches for one fault.
struct SearchedFault {
  const conformance::faults::Fault* fault = nullptr;
  std::vector<std::vector<Search>> searches;  ///< searches[i][j]: by the mutation of index i, with the seed j + 1

  /// Medians over the seeds, for one way to make inputs: `mutation` is an index into FaultSearchOptions::mutations. A
  /// search that found nothing counts as if it had found the fault at its end.
  double MedianSeconds(std::size_t mutation) const;
  double MedianExecutions(std::size_t mutation) const;
  /// Whether at least half of the searches ended without finding the fault.
  bool MissedInMedian(std::size_t mutation) const;
};

/// Runs each search in a separate process. Calls `on_done` after each search, with the number of searches that have
/// ended; by one thread at a time. After an interruption, returns only the faults whose searches have all ended. If a
/// search fails, begins no other one and throws the first error, a std::runtime_error: an engine cannot be started or
/// runs no input, or its temporary files cannot be made.
std::vector<SearchedFault> MeasureFuzzing(const FaultSearchOptions& options,
                                          const std::function<void(std::size_t)>& on_done);

/// The median of the numbers; 0 if there are none.
double MedianOf(std::vector<double> numbers);

}  // namespace fuzz

#endif  // DECONV_FUZZ_CAMPAIGN_FAULT_CAMPAIGNS_H_
