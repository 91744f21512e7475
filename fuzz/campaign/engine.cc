// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Starts, watches and ends an engine, a process that fuzzes a backend with libFuzzer. libFuzzer gets its options as
// flags; the fuzz target in the same process gets its own as environment variables (settings.h).

#include "fuzz/campaign/engine.h"

#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "conformance/case/text/shell_command.h"
#include "fuzz/cases/shared_state.h"

namespace fuzz {
namespace {

// Further exit codes with which libFuzzer ends an engine: memory was used up, or the engine was asked to end.
constexpr int kMemoryExit = 71;
constexpr int kInterruptExit = 72;

/// The value of the environment variable for the way of mutation.
const char* NameOf(Mutation mutation) {
  switch (mutation) {
    case Mutation::kCases:
      return "cases";
    case Mutation::kBytes:
      return "bytes";
    case Mutation::kUniform:
      return "uniform";
  }
  return "";
}

/// The engine's command line: the program, the flags of libFuzzer, and the folders of inputs.
std::vector<std::string> ArgumentsOf(const EngineOptions& options) {
  // -len_control=0: an input may have its whole length from the start. -reload=5: the engine reads the new inputs of
  // the other engines every 5 seconds. The memory limit leaves room for a case, which needs well under 100 MB.
  std::vector<std::string> arguments = {options.program,
                                        fmt::format("-max_len={}", kMostInputBytes),
                                        "-len_control=0",
                                        "-rss_limit_mb=4096",
                                        "-reload=5",
                                        "-print_final_stats=1",
                                        "-exact_artifact_path=/dev/null"};
  // libFuzzer's handlers of deadly signals are turned off, because they allocate memory. After damage to the heap they
  // would wait for ever, which looks like a hang.
  for (const char* signal : {"abrt", "bus", "fpe", "ill", "segv"}) {
    arguments.push_back(fmt::format("-handle_{}=0", signal));
  }
  arguments.push_back(fmt::format("-seed={}", options.seed));
  // An isolated case has a time limit for each run in the judge. The judge may run the case and simpler cases several
  // times, so libFuzzer's limit is 20 times as long. The factor is a guess.
  arguments.push_back(
      fmt::format("-timeout={}", static_cast<int>(std::ceil(options.timeout * (options.isolated ? 20 : 1)))));
  if (!options.merge.empty()) {
    arguments.emplace_back("-merge=1");
    arguments.push_back("-merge_control_file=" + options.merge);
  }
  if (options.seconds > 0) {
    arguments.push_back(fmt::format("-max_total_time={}", static_cast<int>(std::ceil(options.seconds))));
  }
  if (options.executions != 0) arguments.push_back(fmt::format("-runs={}", options.executions));
  arguments.insert(arguments.end(), options.corpora.begin(), options.corpora.end());
  return arguments;
}

/// The command "env -u OLD ... NEW=value ...", which starts the engine with no settings of the fuzz target but those of
/// `options`. Settings that the user has set for another target are removed.
std::string EnvironmentOf(const EngineOptions& options) {
  std::string command = "env";
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view variable = *entry;
    if (!variable.starts_with("DECONV_FUZZ_")) continue;
    command += fmt::format(" -u {}", conformance::ShellWord(variable.substr(0, variable.find('='))));
  }
  const auto set = [&](const char* name, const std::string& value) {
    if (!value.empty()) command += fmt::format(" {}={}", name, conformance::ShellWord(value));
  };
  set(kBackendVariable, options.backend);
  set(kMutationVariable, NameOf(options.mutation));
  const bool runs_backend = options.merge.empty() || options.merges_by_counters;
  set(kFindingsVariable, options.merge.empty() ? options.findings : "/dev/null");  // a merge adds no findings
  set(kStateVariable, options.state);
  set(kExpectVariable, options.expect);
  set(kJudgesVariable, runs_backend ? "" : "0");  // the features of a case do not depend on the backend
  set(kIsolatedVariable, options.isolated ? "1" : "");
  // An empty list would mean no sandbox. The working folder is readable anyway, so the list begins with it.
  if (options.sandbox) set(kSandboxVariable, fmt::format(".:{}", fmt::join(*options.sandbox, ":")));
  set(kTimeoutVariable, fmt::format("{}", options.timeout));
  return command;
}

}  // namespace

bool EngineEnd::hung() const { return signal == 0 && status == kTimeoutExit; }
bool EngineEnd::interrupted() const { return signal == 0 && status == kInterruptExit; }
bool EngineEnd::out_of_memory() const { return signal == 0 && status == kMemoryExit; }

std::string EngineEnd::Text() const {
  if (hung()) return "a case took too long";
  if (out_of_memory()) return "a case took too much memory";
  return "the process " + ProcessEnd::Text();
}

std::string Engine::Start(const EngineOptions& options) {
  if (access(options.program.c_str(), X_OK) != 0) {
    return fmt::format("{}: cannot be started: {}", options.program, std::strerror(errno));
  }
  std::string command = "ulimit -c 0; exec " + EnvironmentOf(options);
  for (const std::string& argument : ArgumentsOf(options)) command += " " + conformance::ShellWord(argument);
  const std::string log = options.log.empty() ? "/dev/null" : conformance::ShellWord(options.log);
  return process_.Start(fmt::format("{} </dev/null >>{} 2>&1", command, log));
}

std::optional<EngineEnd> Engine::Poll() {
  const auto end = process_.Poll();
  return end ? std::optional(EngineEnd{*end}) : std::nullopt;
}

std::string EngineBesideThisProgram() {
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error).parent_path() / "deconv-fuzz-engine";
  return !error && access(program.c_str(), X_OK) == 0 ? program.string() : std::string();
}

}  // namespace fuzz
