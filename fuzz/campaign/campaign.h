// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// A campaign: engines that search a backend in parallel for a given time, and the record of what they found. A campaign
// lives in a folder. A new campaign in the same folder continues the last one, however that ended.
//
//   corpus/          inputs, shared by the engines (elsewhere if asked for)
//   findings.jsonl   every finding, when it was found
//   findings/        one regression file for each cause
//   state/           the current input of each engine, and its log
//   campaign.json    the summary, with the curves; campaign.html the same as a page; findings.html the gate's report

#ifndef DECONV_FUZZ_CAMPAIGN_CAMPAIGN_H_
#define DECONV_FUZZ_CAMPAIGN_CAMPAIGN_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "fuzz/campaign/campaign_causes.h"
#include "fuzz/cases/shared_state.h"

namespace fuzz {

struct CampaignOptions {
  std::string engine;  ///< the program
  std::string backend = "kernel";
  std::string folder = "fuzz-out";
  std::string corpus;  ///< empty: in the folder
  std::string expect;  ///< a file of known failures; empty: none is known
  std::string junit;   ///< a report to write; empty: none
  std::string sarif;   ///< a report to write; empty: none
  double seconds = 60;
  int jobs = 1;
  double timeout = 10;  ///< seconds for a case
  std::uint32_t seed = 1;
  bool isolated = false;  ///< isolates the backend from the start; else once it has ended its process a few times
  std::optional<std::vector<std::string>> sandbox;  ///< the paths that a backend in a sandbox may read beside its own
  double diagnosis_seconds = 30;
  const std::atomic<int>* interrupt = nullptr;
};

/// The counts of all campaigns of the folder at one moment.
struct CurvePoint {
  double seconds = 0;
  std::uint64_t executions = 0;
  std::uint64_t features = 0;
  std::uint64_t findings = 0;
};

struct CampaignRecord {
  double seconds = 0;            ///< time of searching, with earlier campaigns of the folder
  std::uint64_t executions = 0;  ///< executions, with earlier campaigns of the folder
  std::uint64_t judged = 0;      ///< executions of cases that the backend declares it can do
  std::uint64_t guarded = 0;     ///< of them: judged behind guard pages too
  NotKept not_kept;              ///< failing cases that are not among the findings
  std::uint64_t features = 0;
  std::uint64_t restarts = 0;  ///< engines that ended before their time
  std::uint64_t inputs = 0;    ///< inputs of the corpus, after it was pruned
  double last_finding = -1;    ///< seconds; below 0: none
  double rate = 0;             ///< executions a second, in this campaign
  std::string sandbox;         ///< the protections in force; empty without a sandbox
  std::vector<CurvePoint> curve;
  std::vector<FoundCase> findings;
  std::optional<CampaignCauses> causes;  ///< set if there are findings
  std::size_t expected = 0;              ///< findings of the file that are known failures, and not among these
  std::size_t unreadable = 0;            ///< lines of findings.jsonl that are no findings
  std::string engine_error;              ///< why no engine could go on; empty: none had to stop
  std::string write_error;               ///< why the folder does not hold all of this; empty: it does
  std::optional<conformance::BackendError> cause_error;  ///< why no finding was judged again
  std::vector<std::string> notes;                        ///< problems that did not end the campaign
  conformance::Capabilities declared;                    ///< by the backend
};

/// Called a few times a second, while causes are looked for with the step of that search, such as "judging 2 of 9".
using CampaignProgress = std::function<void(const CampaignRecord&, const std::string& step)>;

/// Why a campaign cannot begin: the folder, the engine or the backend.
struct CampaignError {
  bool usage = true;
  std::string message;
};

std::variant<CampaignRecord, CampaignError> RunCampaign(const CampaignOptions& options,
                                                        const CampaignProgress& progress);

}  // namespace fuzz

#endif  // DECONV_FUZZ_CAMPAIGN_CAMPAIGN_H_
