// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs a fuzzing campaign, which searches a backend for failing cases during a given time. A case is an operator with
// its values. Processes with libFuzzer ("engines") make cases at random and judge the backend's answers. They search in
// parallel, and each failing case that is kept is a "finding". Then the causes of the findings are found.
//
// The engines share a corpus: the inputs that are worth changing further. An input is worth it if its case has a
// feature that no other input has. Features are properties of a case, such as a stride above 1. They are reported to
// libFuzzer as if they were covered code.
//
// A campaign has a folder. A new campaign in the same folder continues the last one, even if that one was killed.
//
//   corpus/          the inputs that the engines share (the user may name another folder)
//   findings.jsonl   every finding with its time
//   findings/        one regression file for each cause; findings/earlier/ has those of earlier campaigns
//   state/           the current input of each engine, its log, the cases that ran before some findings, and a lock
//   campaign.json    the summary with its curves, which campaign.html shows
//   findings.html    a report of the findings like that of `deconv-cts run`

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

/// The options of `deconv-cts fuzz`.
struct CampaignOptions {
  std::string engine;  ///< path of the program deconv-fuzz-engine
  std::string backend = "kernel";
  std::string folder = "fuzz-out";
  std::string corpus;   ///< a folder of inputs; empty: corpus/ in `folder`
  std::string expect;   ///< a file of known failures; empty: none is known
  std::string junit;    ///< a report to write; empty: none
  std::string sarif;    ///< a report to write; empty: none
  double seconds = 60;  ///< time of searching; 0: only judge the findings that the folder has
  int jobs = 1;         ///< engines that search at once
  double timeout = 10;  ///< seconds for a case; a case that takes longer is a hang
  std::uint32_t seed = 1;
  bool isolated = false;  ///< run the backend in a process of its own from the start; else only after a few crashes
  std::optional<std::vector<std::string>> sandbox;  ///< set: sandbox the backend; it may also read these paths
  double diagnosis_seconds = 30;                    ///< time for the search for causes
  const std::atomic<int>* interrupt = nullptr;      ///< number of the user's signal, 0 without one; may be null
};

/// A point of the curves in the report: the counts of all campaigns of the folder at one moment.
struct CurvePoint {
  double seconds = 0;
  std::uint64_t executions = 0;
  std::uint64_t features = 0;  ///< different features of all cases that were executed
  std::uint64_t findings = 0;
};

/// The result of a campaign, together with the earlier campaigns of its folder.
struct CampaignRecord {
  double seconds = 0;            ///< time of searching, with earlier campaigns of the folder
  std::uint64_t executions = 0;  ///< executions, with earlier campaigns of the folder
  std::uint64_t judged = 0;      ///< executions of cases that the backend declares it can do
  std::uint64_t guarded = 0;     ///< judged executions with guard pages: memory beside buffers whose use is a crash
  NotKept not_kept;              ///< failing cases that are not among the findings
  std::uint64_t features = 0;    ///< different features of all cases that were executed
  std::uint64_t restarts = 0;    ///< how often an engine ended before its time
  std::uint64_t inputs = 0;      ///< inputs of the corpus, after it was pruned
  double last_finding = -1;      ///< the second of the last finding; below 0: none
  double rate = 0;               ///< executions in a second, in this campaign only
  std::string sandbox;           ///< the protections in force; empty without a sandbox
  std::vector<CurvePoint> curve;
  std::vector<FoundCase> findings;
  std::optional<CampaignCauses> causes;  ///< set if there are findings
  std::size_t expected = 0;              ///< known failures in findings.jsonl; `findings` leaves them out
  std::size_t unreadable = 0;            ///< lines of findings.jsonl that are no findings
  std::string engine_error;              ///< why no engine could go on; empty: none had to stop
  std::string write_error;               ///< why some file of the folder could not be written; empty: all were
  std::optional<conformance::BackendError> cause_error;  ///< why no finding was judged again, if that failed
  std::vector<std::string> notes;                        ///< problems that did not end the campaign
  conformance::Capabilities declared;                    ///< what the backend declares to support
};

/// Called a few times a second. In the search for causes, `step` names its step, such as "judging 2 of 9".
using CampaignProgress = std::function<void(const CampaignRecord&, const std::string& step)>;

/// Why a campaign cannot begin: a problem of the folder, the engine or the backend.
struct CampaignError {
  bool usage = true;  ///< whether the arguments of the user are wrong
  std::string message;
};

/// Runs a campaign to its end or to an interruption. Returns its record, or why it could not begin.
std::variant<CampaignRecord, CampaignError> RunCampaign(const CampaignOptions& options,
                                                        const CampaignProgress& progress);

}  // namespace fuzz

#endif  // DECONV_FUZZ_CAMPAIGN_CAMPAIGN_H_
