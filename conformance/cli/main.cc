// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The program deconv-cts, which tests libraries for transposed convolution: reads a command such as `run` or `explain`,
// and executes it. `run` starts this program again as a worker: a process that runs a backend (a library under test)
// instead of reading a command.

#include <CLI/CLI.hpp>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "conformance/backends/serve_process.h"
#include "conformance/backends/worker/worker_process.h"
#include "conformance/case/text/names.h"
#include "conformance/cli/commands.h"
#include "conformance/cli/exit_code.h"
#include "conformance/cli/history/history.h"
#include "conformance/cli/version.h"

namespace conformance {
namespace {

/// The names that a misspelt argument may have meant: the commands, or the flags of the chosen command.
std::vector<std::string> KnownNames(const CLI::App& program) {
  std::vector<std::string> names;
  const auto chosen = program.get_subcommands();
  if (chosen.empty()) {
    for (const CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; })) {
      names.push_back(command->get_name());
    }
  }
  const CLI::App& source = chosen.empty() ? program : *chosen.front();
  for (const CLI::Option* option : source.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

/// Prints what is wrong with the command line, or the text of --help or --version. Returns the exit code.
int ReportParseError(const CLI::App& program, const CLI::ParseError& error) {
  if (error.get_exit_code() == 0) return program.exit(error);  // --help, --version
  std::string message = error.what();
  const std::vector<std::string> unexpected = program.remaining(true);
  if (!unexpected.empty()) {
    const std::string word = unexpected.front().substr(0, unexpected.front().find('='));
    message = fmt::format("{}: unknown {}{}", word, word.starts_with("-") ? "flag" : "command",
                          DidYouMean(word, KnownNames(program)));
  }
  fmt::print(stderr, "deconv-cts: {}; see deconv-cts --help\n", message);
  return kExitUsage;
}

/// Complains about an empty argument, which is nearly always an unset variable of a script. Without the complaint, an
/// empty file name would mean that no file is wanted, and "--html=" would take the next argument. Empty if all is well.
std::string EmptyArgument(std::span<char*> arguments) {
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const std::string_view word = arguments[i];
    const std::string_view before = arguments[i - 1];
    const bool is_value = word.empty() && before.starts_with('-');
    if (!word.empty() && !(word.starts_with("--") && word.ends_with('='))) continue;
    return fmt::format("{}: the value is empty; is a variable of your script unset?",
                       is_value       ? std::string(before)
                       : word.empty() ? fmt::format("argument {}", i)
                                      : std::string(word.substr(0, word.size() - 1)));
  }
  return "";
}

int Main(int count, char** values) {
  if (const std::string error = EmptyArgument({values, static_cast<std::size_t>(count)}); !error.empty()) {
    return UsageError(error);
  }
  if (const int exit_code = RunFuzzProgram(count, values); exit_code >= 0) return exit_code;
  CLI::App program("Tests backends that compute transposed convolution against the specification.", "deconv-cts");
  program.require_subcommand(1);
  program.set_version_flag("--version", std::string("deconv-cts ") + kSuiteVersion);
  program.footer(
      "Exit codes: 0 the backend conforms, 1 failures, 2 wrong usage or unreadable input, 3 the backend could not be\n"
      "loaded or broke the protocol, 4 no failure except stale or expired expectations, 5 nothing was judged,\n"
      "6 internal error, 130 and 143 ended early by SIGINT and SIGTERM.\n\n"
      "Examples:\n"
      "  deconv-cts run                                    run level gate on the built-in kernel\n"
      "  deconv-cts run --backend ./libvendor.so           run level gate on your backend\n"
      "  deconv-cts doctor ./libvendor.so                  check that your adapter works\n"
      "  deconv-cts fuzz --backend ./libvendor.so --time 10m    search for failures beyond the gate\n"
      "  deconv-cts diff before.jsonl after.jsonl          compare the reports of two runs\n"
      "  deconv-cts explain corpus/spec/fragments/convolution_example3.xml      show how each dialect resolves a "
      "layer");
  int exit_code = kExitConforms;
  AddRunCommand(program, exit_code);
  AddReplayCommand(program, exit_code);
  AddListCommand(program, exit_code);
  AddExplainCommand(program, exit_code);
  AddMinimizeCommand(program, exit_code);
  AddMergeCommand(program, exit_code);
  AddDiffCommand(program, exit_code);
  AddPowerCommand(program, exit_code);
  AddSupportCommand(program, exit_code);
  AddDoctorCommand(program, exit_code);
  AddImportCommand(program, exit_code);
  AddExportCommand(program, exit_code);
  AddJudgeRecordedCommand(program, exit_code);
  AddReportCommand(program, exit_code);
  AddFuzzCommand(program);
  try {
    program.parse(count, values);
  } catch (const CLI::ParseError& error) {
    return ReportParseError(program, error);
  }
  return exit_code;
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  // The suite starts this program also as a worker, or as a server of the process protocol. Such a process serves here
  // and ends. A result below 0 means that this process was not started so.
  for (const auto serve : {conformance::ServeIfWorker, conformance::ServeIfProcess}) {
    if (const int served = serve({argv, static_cast<std::size_t>(argc)}); served >= 0) return served;
  }
  std::signal(SIGPIPE, SIG_IGN);
  try {
    const int exit_code = conformance::Main(argc, argv);
    errno = 0;
    const bool flushed = std::fflush(stdout) == 0;
    if (flushed && std::ferror(stdout) == 0) return exit_code;
    if (!flushed && errno != EPIPE) std::fputs("deconv-cts: standard output could not be written completely\n", stderr);
    return exit_code == conformance::kExitConforms ? static_cast<int>(conformance::kExitUsage) : exit_code;
  } catch (const std::system_error& error) {  // thrown by fmt if a stream cannot be written
    if (error.code() != std::errc::broken_pipe) std::fprintf(stderr, "deconv-cts: %s\n", error.what());
    return conformance::kExitUsage;
  } catch (const std::bad_alloc&) {
    std::fputs("deconv-cts: internal error: out of memory\n", stderr);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "deconv-cts: internal error: %s\n", error.what());
  }
  return conformance::kExitInternal;
}
