// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The command `fuzz`: runs a campaign, which searches a backend for wrong answers with libFuzzer. Prints the findings
// (failing cases) and their causes, and sets the exit code.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "conformance/backends/open_backend.h"
#include "conformance/backends/worker/worker.h"
#include "conformance/cli/exit_code.h"
#include "conformance/cli/input.h"
#include "fuzz/campaign/campaign.h"
#include "fuzz/campaign/campaign_reports.h"
#include "fuzz/campaign/command_line.h"
#include "fuzz/campaign/engine.h"

namespace fuzz {
namespace {

using conformance::ExitCode;

/// The text of the progress line.
std::string StatusOf(const CampaignRecord& record) {
  return fmt::format("fuzz {:.0f} s: {} cases, {:.0f}/s, {} features, {} findings{}{}{}", record.seconds,
                     record.executions, record.rate, record.features, record.findings.size(),
                     record.last_finding < 0
                         ? ""
                         : fmt::format(", the last {:.0f} s ago", std::max(0.0, record.seconds - record.last_finding)),
                     record.write_error.empty() ? "" : "; ", record.write_error);
}

// How many findings that passed when they were judged again are printed; campaign.json has all of them.
constexpr std::size_t kShownUnconfirmed = 3;

/// Prints the result of a campaign.
void PrintResult(const CampaignOptions& options, const CampaignRecord& record) {
  if (record.causes) {
    for (const CampaignCause& cause : record.causes->causes) {
      fmt::print("cause: {} ({} findings)\n  {}\n", cause.title, cause.findings, cause.message);
      for (const std::string& line : cause.before) fmt::print("  first: {}\n", line);
      fmt::print("  smallest: {}\n  replay: {}\n  file: {}/findings/{}\n", cause.smallest, ReplayOf(options, cause),
                 options.folder, FileNameOf(cause));
    }
    const std::vector<FoundCase>& unconfirmed = record.causes->unconfirmed;
    for (const FoundCase& found : std::span(unconfirmed).first(std::min(unconfirmed.size(), kShownUnconfirmed))) {
      fmt::print("not reproduced: {}\n  {}\n", found.message, found.line);
    }
    if (unconfirmed.size() > kShownUnconfirmed) {
      fmt::print("not reproduced: {} more, see campaign.json\n", unconfirmed.size() - kShownUnconfirmed);
    }
  }
  fmt::print("{} executions ({} within what {} declares), {:.0f}/s, {} features, {} inputs, {} restarts, seed {}\n",
             record.executions, record.judged, options.backend, record.rate, record.features, record.inputs,
             record.restarts, options.seed);
  for (const std::string& remark : RemarksOf(record)) fmt::print("{}\n", remark);
  const std::size_t causes = record.causes ? record.causes->causes.size() : 0;
  fmt::print("{} findings{}; see {}/campaign.html\n", record.findings.size(),
             record.causes ? fmt::format(", {} cause{}", causes, causes == 1 ? "" : "s") : "", options.folder);
}

/// Runs a campaign, prints and writes its result, and returns the exit code.
int ExecuteCampaign(CampaignOptions options) {
  if (options.engine.empty()) options.engine = EngineBesideThisProgram();
  if (options.engine.empty()) return ComplainOfMissingEngine();
  if (options.jobs <= 0) options.jobs = CoreCount();
  if (options.sandbox) {
    options.isolated = true;
    conformance::SandboxWorkers(*options.sandbox);
  }
  CampaignReports reports;
  if (std::string error = reports.Open(options); !error.empty()) return Complain(ExitCode::kExitUsage, error);
  options.interrupt = &conformance::CatchInterrupts();
  StatusLine status;
  std::string kind_of_step;
  const auto run = RunCampaign(options, [&](const CampaignRecord& record, const std::string& step) {
    if (step.empty()) return status(StatusOf(record));
    // The text of a step begins with its kind, such as "judging". A new kind is shown at once.
    const bool is_new = std::exchange(kind_of_step, step.substr(0, step.find(' '))) != kind_of_step;
    status(fmt::format("causes of {} findings: {}", record.findings.size(), step), is_new);
  });
  const auto complain_of_interrupt = [&] {
    fmt::print(
        stderr,
        "deconv-fuzz: interrupted; run the same command to continue, or with --time 0 to look only for causes\n");
    return ExitCode::kExitSignal + *options.interrupt;
  };
  if (const auto* error = std::get_if<CampaignError>(&run)) {
    if (*options.interrupt != 0) return complain_of_interrupt();
    return Complain(error->usage ? ExitCode::kExitUsage : ExitCode::kExitBackend, error->message);
  }
  const auto& record = std::get<CampaignRecord>(run);
  PrintResult(options, record);
  std::fflush(stdout);  // the result stands before the messages on stderr below
  // Every problem is printed; the last one decides the exit code.
  int exit_code = record.judged == 0 ? ExitCode::kExitNothingJudged : ExitCode::kExitConforms;
  if (!record.findings.empty()) exit_code = ExitCode::kExitFailures;
  if (!record.engine_error.empty()) {
    exit_code = Complain(ExitCode::kExitInternal, record.engine_error);
    if (!record.findings.empty()) {
      Complain(exit_code, fmt::format("{} findings were written to {}/findings.jsonl before that",
                                      record.findings.size(), options.folder));
    }
  }
  if (!record.write_error.empty()) exit_code = Complain(ExitCode::kExitUsage, record.write_error);
  if (const auto& error = record.cause_error) {
    exit_code = Complain(error->usage ? ExitCode::kExitUsage : ExitCode::kExitBackend, error->message);
  }
  if (*options.interrupt != 0) exit_code = complain_of_interrupt();
  const std::string error = reports.Commit(options, record, exit_code);
  return error.empty() ? exit_code : Complain(ExitCode::kExitUsage, error);
}

}  // namespace

// The options live as long as the command's callback, which runs after this function has returned.
void AddFuzzCommand(CLI::App& program, int& exit_code) {
  CLI::App* command = program.add_subcommand("fuzz", "search a backend for wrong answers");
  const auto options = std::make_shared<CampaignOptions>();
  options->jobs = 0;  // one engine for each core
  command
      ->add_option("--backend", options->backend, "kernel, oracle, onednn, fault:NAME, a library's path or cmd:COMMAND")
      ->capture_default_str();
  command->add_option("--time", options->seconds, "how long to search: seconds, or 15m, 2h; 0: only look for causes")
      ->transform(conformance::Duration())
      ->check(conformance::NumberBetween(0, 1e9))
      ->capture_default_str();
  command->add_option("--jobs", options->jobs, "number of engines (default: one for each core)")
      ->check(CLI::Range(1, 256));
  command->add_option("--out", options->folder, "the campaign's folder; an existing campaign is continued")
      ->capture_default_str();
  command->add_option("--corpus", options->corpus,
                      "folder of inputs to start from and to add to (default: OUT/corpus)");
  command->add_option("--expect", options->expect,
                      "TOML file of known failures, as for deconv-cts run: they are no findings");
  command->add_option("--junit", options->junit, "write the causes to this file as a JUnit XML report");
  command->add_option("--sarif", options->sarif, "write the causes to this file as a SARIF 2.1.0 report");
  command->add_option("--timeout", options->timeout, "seconds that one case may take")
      ->check(conformance::NumberBetween(0.1, 3600))
      ->capture_default_str();
  command->add_option("--seed", options->seed, "seed of the search")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  const CLI::Option* const diagnosis =
      command
          ->add_option("--diagnosis-seconds", options->diagnosis_seconds,
                       "how many seconds the search for causes may take (default: a sixth of --time, 30 to 300)")
          ->check(conformance::NumberBetween(0, 1e6));
  command->add_flag(
      "--isolated", options->isolated,
      "run the backend in its own process from the start: slower, and its buffers are guarded; without this flag, "
      "isolation begins after the backend has ended its process a few times");
  const auto is_trusted = std::make_shared<bool>(false);
  const auto readable = std::make_shared<std::vector<std::string>>();
  command->add_flag("--no-sandbox", *is_trusted,
                    "run a library or a command without a sandbox, a library also in the engine's process: faster, for "
                    "a backend that you trust. With a sandbox it has no network, no writes outside of a scratch "
                    "folder, no home folder and few variables (conformance/README.md)");
  command
      ->add_option("--sandbox-read", *readable,
                   "a file or folder that a backend in the sandbox may read beside its own; may be repeated")
      ->allow_extra_args(false)
      ->check(CLI::ExistingPath)
      ->excludes("--no-sandbox");
  command->add_option("--engine", options->engine,
                      "the engine's program (default: deconv-fuzz-engine beside this one)");
  command->footer(
      "Writes to OUT: findings.jsonl (each finding at once), findings/ (a regression file for each cause, for\n"
      "deconv-cts replay), campaign.json, campaign.html, findings.html, corpus/.\n"
      "Exit codes: 0 no finding, 1 findings, 2 usage, 3 the backend could not be loaded, 5 no case was within what it\n"
      "declares, 6 the engine does not work, 130 and 143 ended early by SIGINT and SIGTERM.\n\n"
      "Examples:\n"
      "  deconv-cts fuzz --backend ./libvendor.so --time 10m\n"
      "  deconv-cts fuzz --backend fault:filter_flipped --time 5 --jobs 1 --out /tmp/campaign");
  command->callback([options, diagnosis, is_trusted, readable, &exit_code] {
    if (diagnosis->empty()) options->diagnosis_seconds = std::clamp(options->seconds / 6, 30.0, 300.0);
    // A foreign backend, a library or a command that is no part of this project, runs in a sandbox.
    if (!*is_trusted && conformance::IsForeignBackend(options->backend)) options->sandbox = *readable;
    exit_code = ExecuteCampaign(*options);
  });
}

}  // namespace fuzz
