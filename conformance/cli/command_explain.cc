// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// `explain`: how each dialect resolves a case.

#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "conformance/cli/commands.h"
#include "conformance/cli/exit_code.h"
#include "conformance/cli/input.h"
#include "conformance/explain.h"

namespace conformance {

void AddExplainCommand(CLI::App& program, int& exit_code) {
  CLI::App* command = program.add_subcommand("explain", "how each dialect resolves a case, clause by clause");
  const auto inputs = std::make_shared<std::vector<std::string>>();
  command->add_option("case", *inputs, "case lines, layer XML files, files of case lines")
      ->option_text("CASE|FILE...")
      ->required();
  command->footer("Example:\n  deconv-cts explain corpus/spec/fragments/convolution_example3.xml");
  command->callback([inputs, &exit_code] {
    for (const std::string& input : *inputs) {
      const auto cases = CasesOf(input);
      if (const auto* error = std::get_if<ReadError>(&cases)) {
        fmt::print(stderr, "deconv-cts: {}\n", error->message);
        exit_code = kExitUsage;
        return;
      }
      for (const SuiteCase& planned : std::get<std::vector<SuiteCase>>(cases)) {
        if (planned.test_case.sweep) {
          fmt::print(stderr, "deconv-cts: {}: a sweep is many cases, expected one\n", ToLine(planned.test_case));
          exit_code = kExitUsage;
          return;
        }
        fmt::print("{}", Explain(planned.test_case));
      }
    }
  });
}

}  // namespace conformance
