// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The settings that make a run repeatable, such as level and seed. Every report records them.

#ifndef DECONV_CONFORMANCE_REPORT_RUN_DESCRIPTION_H_
#define DECONV_CONFORMANCE_REPORT_RUN_DESCRIPTION_H_

#include <cstdint>
#include <string>
#include <vector>

namespace conformance {

struct RunDescription {
  std::string suite_version;
  std::string level;
  std::vector<std::string> suites;  ///< chosen suites; empty: all
  std::uint64_t seed = 0;
  std::string case_list;  ///< origin of the list of cases (CaseListOrigin); its hash is in the run's record
  std::string key;        ///< hash of all other settings that decide verdicts: shard, limits, the programs on disk
  int exit_code = 0;
  std::vector<std::string> errors;  ///< backends that could not be loaded, and why
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_REPORT_RUN_DESCRIPTION_H_
