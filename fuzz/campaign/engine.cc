// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Starts, watches and ends an engine's process. The flags are libFuzzer's.

#include "fuzz/campaign/engine.h"

#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fuzz {
namespace {

// libFuzzer's exit codes.
constexpr int kTimeoutExit = 70;
constexpr int kMemoryExit = 71;
constexpr int kInterruptExit = 72;

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

std::vector<std::string> ArgumentsOf(const EngineOptions& options) {
  // A case holds well under 100 MB.
  std::vector<std::string> arguments = {options.program,
                                        fmt::format("-max_len={}", kMostInputBytes),
                                        "-len_control=0",
                                        "-rss_limit_mb=4096",
                                        "-reload=5",
                                        "-print_final_stats=1",
                                        "-exact_artifact_path=/dev/null"};
  arguments.push_back(fmt::format("-seed={}", options.seed));
  // An isolated case is judged by its own clock, and may be asked again.
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

std::vector<std::string> EnvironmentOf(const EngineOptions& options) {
  std::vector<std::string> environment;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    if (!std::string_view(*entry).starts_with("DECONV_FUZZ_")) environment.emplace_back(*entry);
  }
  const auto set = [&](const char* name, const std::string& value) {
    if (!value.empty()) environment.push_back(fmt::format("{}={}", name, value));
  };
  set(kBackendVariable, options.backend);
  set(kMutationVariable, NameOf(options.mutation));
  set(kFindingsVariable, options.findings);
  set(kStateVariable, options.state);
  set(kJudgesVariable, options.merge.empty() ? "" : "0");  // features are of the case, whatever a backend makes of it
  set(kIsolatedVariable, options.isolated ? "1" : "");
  set(kTimeoutVariable, fmt::format("{}", options.timeout));
  return environment;
}

std::vector<char*> Pointers(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

bool EngineEnd::hung() const { return signal == 0 && status == kTimeoutExit; }
bool EngineEnd::interrupted() const { return signal == 0 && status == kInterruptExit; }
bool EngineEnd::swelled() const { return signal == 0 && status == kMemoryExit; }

std::string EngineEnd::Text() const {
  if (hung()) return "a case took too long";
  if (swelled()) return "a case took too much memory";
  if (signal != 0) return fmt::format("the process was killed by {} ({})", strsignal(signal), signal);
  return fmt::format("the process exited with status {}", status);
}

std::string Engine::Start(const EngineOptions& options) {
  Kill();
  if (access(options.program.c_str(), X_OK) != 0) {
    return fmt::format("{}: cannot be started: {}", options.program, std::strerror(errno));
  }
  std::vector<std::string> arguments = ArgumentsOf(options);
  std::vector<std::string> environment = EnvironmentOf(options);
  const std::vector<char*> argument_pointers = Pointers(arguments);
  const std::vector<char*> environment_pointers = Pointers(environment);
  const std::string log = options.log.empty() ? "/dev/null" : options.log;
  const int input = open("/dev/null", O_RDONLY | O_CLOEXEC);
  const int output = open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (input < 0 || output < 0) {
    const std::string error =
        fmt::format("{}: cannot be opened: {}", input < 0 ? "/dev/null" : log, std::strerror(errno));
    if (input >= 0) close(input);
    return error;
  }
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(127);  // it ended in between
    setpgid(0, 0);                        // Ctrl-C is the campaign's
    dup2(input, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    execve(options.program.c_str(), argument_pointers.data(), environment_pointers.data());
    _exit(127);
  }
  const int failed = errno;
  close(input);
  close(output);
  if (child < 0) return fmt::format("{}: cannot be started: {}", options.program, std::strerror(failed));
  process_ = child;
  return {};
}

std::optional<EngineEnd> Engine::Reap(int flags) {
  if (!runs()) return std::nullopt;
  int status = 0;
  pid_t reaped = 0;
  do {
    reaped = waitpid(process_, &status, flags);
  } while (reaped < 0 && errno == EINTR && flags == 0);
  if (reaped != process_) return std::nullopt;
  process_ = -1;
  if (WIFSIGNALED(status)) return EngineEnd{.status = 0, .signal = WTERMSIG(status)};
  return EngineEnd{.status = WEXITSTATUS(status), .signal = 0};
}

std::optional<EngineEnd> Engine::Poll() { return Reap(WNOHANG); }

EngineEnd Engine::Wait() { return Reap(0).value_or(EngineEnd{}); }

void Engine::Interrupt() const {
  if (runs()) kill(process_, SIGINT);
}

void Engine::Kill() {
  if (!runs()) return;
  kill(-process_, SIGKILL);
  kill(process_, SIGKILL);
  Reap(0);
}

std::string EngineBesideThisProgram() {
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error).parent_path() / "deconv-fuzz-engine";
  return !error && access(program.c_str(), X_OK) == 0 ? program.string() : std::string();
}

}  // namespace fuzz
