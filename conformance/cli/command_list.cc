// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The command `list`: prints the suites (named lists of cases), their cases, the hashes of the case lists, the
// sentences of the specification, what the cases do not cover, or the backends.

#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/backends/open_backend.h"
#include "conformance/case/sweep_cases.h"
#include "conformance/cli/commands.h"
#include "conformance/cli/exit_code.h"
#include "conformance/cli/input.h"
#include "conformance/cli/version.h"
#include "conformance/interface/backend.h"
#include "conformance/suite/case_lists/case_lists.h"
#include "conformance/suite/measured_coverage/coverage.h"
#include "conformance/suite/traceability/decisions.h"
#include "conformance/suite/traceability/sentence_page.h"

namespace conformance {
namespace {

struct ListArguments {
  bool suites = false;
  bool backends = false;
  bool hash = false;
  bool sentences = false;
  bool coverage = false;
  std::string level = "gate";
  Selection selection;
};

int ListSuites() {
  for (const Suite& suite : Suites()) fmt::print("{:<14} {}\n", suite.name, suite.proves);
  return kExitConforms;
}

int ListBackends() {
  for (const BackendName& backend : BuiltInBackends()) {
    fmt::print("{:<45} {:<3} {}{}{}\n", backend.name, backend.mutant_class, backend.description,
               backend.link.empty() ? "" : "; seen in ", backend.link);
  }
  return kExitConforms;
}

/// The case line, with the number of operators as a comment if it is a sweep, one line for many operators.
std::string LineOf(const SuiteCase& suite_case) {
  std::string line = ToLine(suite_case.test_case);
  if (suite_case.test_case.sweep) {
    const SweepCases swept(*suite_case.test_case.sweep);
    line += fmt::format(" # {} cases", swept.end() - swept.begin());
  }
  return line;
}

int ListHashes() {
  auto present = CurrentLists();
  if (const auto* error = std::get_if<ReadError>(&present)) return UsageError(error->message);
  // The new table is that of a version which is not released yet.
  fmt::print("{}", ToText(FrozenLists{.version = kSuiteVersion,
                                      .released = false,
                                      .lists = std::get<std::vector<CaseList>>(std::move(present))}));
  return kExitConforms;
}

int ListSentences() {
  const auto decisions = DecisionsAt(Level::kFull);
  if (const auto* error = std::get_if<ReadError>(&decisions)) return UsageError(error->message);
  fmt::print("{}", SentencePage(std::get<std::vector<Decision>>(decisions)));
  return kExitConforms;
}

void ListCoverage(const std::vector<SuiteCase>& cases) {
  CoverageCounter counter;
  for (const SuiteCase& suite_case : cases) counter.Add(suite_case.test_case, suite_case.test_case.EffectiveDialect());
  const Coverage coverage = counter.Count();
  fmt::print("{}{}", CoverageList(coverage), CoverageSummary(coverage));
}

int ListCases(const ListArguments& arguments) {
  Selection selection = arguments.selection;
  if (const auto level = ParseLevel(arguments.level)) selection.level = *level;
  const auto selected = SelectCases(selection);
  if (const auto* error = std::get_if<ReadError>(&selected)) return UsageError(error->message);
  const auto& cases = std::get<std::vector<SuiteCase>>(selected);
  if (cases.empty()) {
    fmt::print(
        stderr, "deconv-cts: no case of level {} matches {}\n", arguments.level,
        selection.filters.empty() ? "the suites" : fmt::format("--filter {}", fmt::join(selection.filters, ", ")));
    return kExitNothingJudged;
  }
  if (arguments.coverage) {
    ListCoverage(cases);
    return kExitConforms;
  }
  for (const SuiteCase& suite_case : cases) {
    fmt::print("{}/{} {}\n", suite_case.suite, suite_case.name, LineOf(suite_case));
  }
  return kExitConforms;
}

}  // namespace

void AddListCommand(CLI::App& program, int& exit_code) {
  CLI::App* command = program.add_subcommand("list", "print cases (name, case line), suites or backends");
  const auto arguments = std::make_shared<ListArguments>();
  command->add_flag("--suites", arguments->suites, "print the suites, and what each one proves");
  command->add_flag("--backends", arguments->backends, "print the built-in backends and the planted faults");
  command->add_option("--suite", arguments->selection.suites, "print only this suite; may be repeated (default: all)")
      ->allow_extra_args(false);
  command->add_option("--level", arguments->level, "level of the cases: smoke, gate or full")
      ->check(CLI::IsMember({"smoke", "gate", "full"}))
      ->capture_default_str();
  command
      ->add_option("--filter", arguments->selection.filters,
                   "print only cases whose suite/name matches this glob; may be repeated")
      ->allow_extra_args(false);
  command->add_flag(
      "--hash", arguments->hash,
      "print the number of cases and the hash of each level and suite: this version's table of frozen lists");
  command->add_flag("--coverage", arguments->coverage,
                    "print what the cases do not cover: combinations of classes, clauses, tap regimes");
  command->add_flag("--sentences", arguments->sentences,
                    "print the sentences of the specification with their clauses and numbers of cases: the page "
                    "oracle/sentences.md");
  command->footer("Examples:\n  deconv-cts list --suites\n  deconv-cts list --suite spec-examples --level full");
  command->callback([arguments, &exit_code] {
    exit_code = arguments->suites      ? ListSuites()
                : arguments->backends  ? ListBackends()
                : arguments->hash      ? ListHashes()
                : arguments->sentences ? ListSentences()
                                       : ListCases(*arguments);
  });
}

}  // namespace conformance
