// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The program deconv-cts-gtest: the conformance suite as a GoogleTest program with one test for each case. IDEs and
// CTest can then run single cases.

#include <CLI/CLI.hpp>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "conformance/backends/serve_process.h"
#include "conformance/backends/worker/worker_process.h"
#include "conformance/case/text/files.h"
#include "conformance/case/text/names.h"
#include "conformance/cli/exit_code.h"
#include "conformance/cli/gtest/gtest_case.h"
#include "conformance/cli/version.h"

namespace conformance {
namespace {

struct Arguments {
  std::string backend = "kernel";
  std::string level = "gate";
  std::string expect;
  double timeout = JudgeLimits{}.base_seconds;
};

int Complain(const std::string& message) {
  fmt::print(stderr, "deconv-cts-gtest: {}\n", message);
  return kExitUsage;
}

std::variant<std::vector<SuiteCase>, ReadError> CaseListOf(Level level, const std::string& filter) {
  std::vector<SuiteCase> case_list;
  for (const Suite& suite : Suites()) {
    if (!MayMatch(filter, suite.name)) continue;
    auto cases = SuiteCases(suite.name, level, 0);
    if (auto* error = std::get_if<ReadError>(&cases)) return *error;
    for (SuiteCase& suite_case : std::get<std::vector<SuiteCase>>(cases)) case_list.push_back(std::move(suite_case));
  }
  return case_list;
}

std::variant<std::vector<Expectation>, std::string> ExpectationsOf(const std::string& path) {
  if (path.empty()) return std::vector<Expectation>();
  const auto text = ReadWholeFile(path, kMostBytesOfList);
  if (!text) {
    return fmt::format("{}: cannot be read: {}; expected a TOML file of known failures", path, std::strerror(errno));
  }
  auto read = ReadExpectations(*text);
  if (const auto* error = std::get_if<std::string>(&read)) return fmt::format("{}: {}", path, *error);
  return read;
}

int RunTests(const Arguments& arguments) {
  const bool only_lists = GTEST_FLAG_GET(list_tests);
  const std::string filter = GTEST_FLAG_GET(filter);
  auto cases = CaseListOf(*ParseLevel(arguments.level), filter);
  if (const auto* error = std::get_if<ReadError>(&cases)) return Complain(error->message);
  auto expectations = ExpectationsOf(arguments.expect);
  if (const auto* error = std::get_if<std::string>(&expectations)) return Complain(*error);
  JudgeLimits limits;
  limits.base_seconds = arguments.timeout;
  limits.minimize_seconds = 5;  // the limit of `run`
  CaseJudge judge(arguments.backend, limits, std::get<std::vector<SuiteCase>>(std::move(cases)),
                  std::get<std::vector<Expectation>>(std::move(expectations)));
  if (!only_lists) {
    if (const auto error = judge.Start()) {
      fmt::print(stderr, "deconv-cts-gtest: {}\n", error->message);
      return error->usage ? kExitUsage : kExitBackend;
    }
  }
  const std::vector<std::string> names = TestNames(judge.case_list());
  for (std::size_t case_index = 0; case_index < names.size(); ++case_index) {
    testing::RegisterTest(TestWord(judge.case_list()[case_index].suite).c_str(), names[case_index].c_str(), nullptr,
                          nullptr, __FILE__, __LINE__,
                          [&judge, case_index] { return new CaseTest(judge, case_index); });
  }
  if (RUN_ALL_TESTS() != 0) return kExitFailures;
  const testing::UnitTest& tests = *testing::UnitTest::GetInstance();
  const bool ran_all_tests = filter == "*" && tests.test_to_run_count() == tests.total_test_count();
  if (!only_lists && ran_all_tests && judge.judged() == 0) {
    fmt::print(stderr, "deconv-cts-gtest: no case could be judged, so {} does not conform\n", arguments.backend);
    return kExitNothingJudged;
  }
  return kExitConforms;
}

int Main(int count, char** values) {
  testing::InitGoogleTest(&count, values);  // removes GoogleTest's own flags from the arguments
  CLI::App program(
      "The conformance suite as a GoogleTest program: one test for each case, named after suite and case with '_' for "
      "'-' and '.'.\n"
      "GoogleTest's flags and variables work: --gtest_filter, --gtest_list_tests, --gtest_output=xml:FILE, "
      "GTEST_SHARD_INDEX ...",
      "deconv-cts-gtest");
  Arguments arguments;
  program.set_version_flag("--version", std::string("deconv-cts-gtest ") + kSuiteVersion);
  program.add_option("--backend", arguments.backend, "the backend to test, named as for deconv-cts run")
      ->envname("DECONV_CTS_BACKEND")
      ->capture_default_str();
  program.add_option("--level", arguments.level, "level of the cases: smoke, gate or full")
      ->envname("DECONV_CTS_LEVEL")
      ->check(CLI::IsMember({"smoke", "gate", "full"}))
      ->capture_default_str();
  program.add_option("--expect", arguments.expect, "TOML file of known failures; they are skipped with their reason")
      ->envname("DECONV_CTS_EXPECT");
  program
      .add_option("--timeout", arguments.timeout,
                  "time limit of each run of the backend in seconds; large cases get more")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  program.footer(
      "Exit codes: 0 the backend conforms, 1 a test failed (a case, a stale expectation, a case that the suite could "
      "not "
      "judge), 2 usage or unreadable input, 3 the backend could not be loaded, 5 nothing was judged.\n"
      "Example: deconv-cts-gtest --backend=./libvendor.so --level=smoke --gtest_filter='attributes.*f32*'");
  try {
    program.parse(count, values);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return program.exit(error);  // --help, --version
    const std::vector<std::string> unexpected = program.remaining();
    if (unexpected.empty()) return Complain(error.what());
    const std::string word = unexpected.front().substr(0, unexpected.front().find('='));
    const std::vector<std::string> known = {"--backend", "--level", "--expect", "--timeout", "--help", "--version"};
    return Complain(fmt::format("{}: unknown flag{}; see deconv-cts-gtest --help", word, DidYouMean(word, known)));
  }
  return RunTests(arguments);
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
    return conformance::Main(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "deconv-cts-gtest: internal error: %s\n", error.what());
  }
  return conformance::kExitInternal;
}
