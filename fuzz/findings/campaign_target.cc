// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements the fuzz target of campaigns, which search a backend for wrong answers: it judges an input and writes the
// wrong answers that are worth keeping ("findings") to a file.

#include "fuzz/findings/campaign_target.h"

#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "conformance/backends/worker/worker_process.h"
#include "fuzz/cases/case_features.h"
#include "fuzz/cases/case_input.h"
#include "fuzz/cases/require.h"
#include "fuzz/cases/settings.h"
#include "fuzz/cases/shared_state.h"
#include "fuzz/findings/backend_judge.h"
#include "fuzz/findings/finding_file.h"
#include "fuzz/findings/kept_findings.h"

// libFuzzer calls this function first. A worker, the process in which a backend may run, is another process of this
// program, so the program may have been started as one. It then serves as a worker and ends here.
extern "C" int LLVMFuzzerInitialize(int* count, char*** values) {
  const int served = conformance::ServeIfWorker({*values, static_cast<std::size_t>(*count)});
  if (served >= 0) std::_Exit(served);
  // The engine ignores arguments that begin with two dashes, so with --help it would begin to fuzz. Its own word is
  // used instead.
  static char help[] = "-help=1";
  for (int i = 1; i < *count; ++i) {
    if (std::string_view((*values)[i]) == "--help") (*values)[i] = help;
  }
  return 0;
}

namespace fuzz {
namespace {

/// The known failures in the file; none if no file is named. Aborts if the file cannot be read.
std::vector<conformance::Expectation> ExpectedOf(const std::string& path) {
  if (path.empty()) return {};
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  auto read = conformance::ReadExpectations(text);
  if (const auto* error = std::get_if<std::string>(&read)) AbortWith(path + ": " + *error + "\n");
  return std::get<std::vector<conformance::Expectation>>(std::move(read));
}

// The most files with earlier cases that this process writes. A file has up to half a megabyte, and a few files suffice
// to find the earlier case on which a failure depends.
constexpr int kMostFilesOfThisProcess = 16;

/// Writes the cases that ran before a finding, if the failure may depend on them.
void NoteEarlierCases(const std::string& path, const std::string& line) {
  static int written = 0;
  if (written == kMostFilesOfThisProcess) return;
  std::vector<std::string> earlier = OwnHistory();
  if (!earlier.empty() && earlier.back() == line) earlier.pop_back();  // the last line is the finding itself
  WriteEarlierCases(path, line, earlier);
  ++written;
}

/// Appends a finding to the file of findings.
void WriteFinding(const std::string& path, const KeptFindings::Kept& kept) {
  const std::string error = AppendFinding(path, {.line = ToLine(kept.test_case),
                                                 .failure = std::string(FailureClassNameOf(kept.finding.failure)),
                                                 .message = kept.finding.text,
                                                 .time = SecondsSince1970(),
                                                 .unexplained = kept.unexplained});
  if (!error.empty()) AbortWith(error + "\n");
}

}  // namespace

int JudgeInputOfCampaign(Input input) {
  const Settings& settings = EnvironmentSettings();
  const auto test_case = ReadCaseOfInput(input);
  if (!test_case || IsTooLarge(*test_case)) return kNoCase;
  // Features are properties of the case, such as "stride 2". The case mutator needs them, because the engine keeps
  // inputs with new ones. KeptFindings needs them, too.
  if (settings.mutation == Mutation::kCases || !settings.findings.empty()) MarkFeatures(*test_case);
  if (!settings.judges) return 0;
  static BackendJudge judge(settings);
  const JudgedInput judged = judge.Judge(*test_case);
  if (settings.findings.empty()) {
    AbortOnFinding(judged.finding, *test_case, settings.backend);
    return 0;
  }
  static KeptFindings findings(judge, ExpectedOf(settings.expect));
  for (const KeptFindings::Kept& kept : findings.Add(*test_case, judged)) {
    if (!HasRoomForFindings(settings.findings)) {
      NoteDiscarded({.untried = 1});  // `untried` also counts findings for which the file has no room
      continue;
    }
    // A case that passes in another process may need the cases that ran before it here. A hang is not run again,
    // because that would take the whole time limit.
    const bool hangs = kept.finding.failure == conformance::FailureClass::kHang;
    if (!hangs && judge.PassesInOtherProcess(kept.test_case)) {
      NoteEarlierCases(settings.findings, ToLine(kept.test_case));
    }
    WriteFinding(settings.findings, kept);
  }
  return 0;
}

}  // namespace fuzz
