// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// `list`: suites, cases, backends.

#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/backend.h"
#include "conformance/cli/commands.h"
#include "conformance/cli/exit_code.h"
#include "conformance/cli/input.h"
#include "conformance/exhaustive/sweep_cases.h"

namespace conformance {
namespace {

struct ListArguments {
  bool suites = false;
  bool backends = false;
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

int ListCases(const ListArguments& arguments) {
  Selection selection = arguments.selection;
  if (const auto level = ParseLevel(arguments.level)) selection.level = *level;
  const auto selected = SelectCases(selection);
  if (const auto* error = std::get_if<ReadError>(&selected)) {
    fmt::print(stderr, "deconv-cts: {}\n", error->message);
    return kExitUsage;
  }
  const auto& cases = std::get<std::vector<SuiteCase>>(selected);
  if (cases.empty()) {
    fmt::print(
        stderr, "deconv-cts: no case of level {} matches {}\n", arguments.level,
        selection.filters.empty() ? "the suites" : fmt::format("--filter {}", fmt::join(selection.filters, ", ")));
    return kExitNothingJudged;
  }
  for (const SuiteCase& planned : cases) {
    fmt::print("{}/{} {}", planned.suite, planned.name, ToLine(planned.test_case));
    if (planned.test_case.sweep) {  // a comment where lines are read
      const SweepCases swept(*planned.test_case.sweep);
      fmt::print(" # {} cases", swept.end() - swept.begin());
    }
    fmt::print("\n");
  }
  return kExitConforms;
}

}  // namespace

void AddListCommand(CLI::App& program, int& exit_code) {
  CLI::App* command = program.add_subcommand("list", "print cases (name, case line), suites or backends");
  const auto arguments = std::make_shared<ListArguments>();
  command->add_flag("--suites", arguments->suites, "the suites, and what each proves");
  command->add_flag("--backends", arguments->backends, "the built-in backends and planted faults");
  command->add_option("--suite", arguments->selection.suites, "only this suite; may be repeated (default: all)")
      ->allow_extra_args(false);
  command->add_option("--level", arguments->level, "smoke, gate or full")
      ->check(CLI::IsMember({"smoke", "gate", "full"}))
      ->capture_default_str();
  command
      ->add_option("--filter", arguments->selection.filters,
                   "only cases whose suite/name matches this glob; may be repeated")
      ->allow_extra_args(false);
  command->footer("Examples:\n  deconv-cts list --suites\n  deconv-cts list --suite spec-examples --level full");
  command->callback([arguments, &exit_code] {
    exit_code = arguments->suites ? ListSuites() : arguments->backends ? ListBackends() : ListCases(*arguments);
  });
}

}  // namespace conformance
