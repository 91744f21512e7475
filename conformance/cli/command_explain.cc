// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The command `explain`: prints how each dialect resolves a case.

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "conformance/cli/commands.h"
#include "conformance/cli/exit_code.h"
#include "conformance/cli/explain.h"
#include "conformance/cli/input.h"
#include "conformance/diagnosis/taps.h"

namespace conformance {

void AddExplainCommand(CLI::App& program, int& exit_code) {
  CLI::App* command = program.add_subcommand("explain", "show how each dialect resolves a case, clause by clause");
  const auto inputs = std::make_shared<std::vector<std::string>>();
  command->add_option("case", *inputs, "case lines, case ids (suite/name), layer XML files, or files of case lines")
      ->option_text("CASE|ID|FILE...")
      ->required();
  const auto at = std::make_shared<std::vector<std::int64_t>>();
  command->add_option("--at", *at, "also print the products of the output at this coordinate, such as 0,1,5,5")
      ->delimiter(',')
      ->allow_extra_args(false);
  command->footer(
      "Examples:\n"
      "  deconv-cts explain corpus/spec/fragments/convolution_example3.xml\n"
      "  deconv-cts explain --at 0,0,3 ConvolutionBackpropData:data=1,1,3:filter=1,1,3:strides=2:dilations=1");
  command->callback([inputs, at, &exit_code] {
    for (const std::string& input : *inputs) {
      const auto cases = CasesOf(input);
      if (const auto* error = std::get_if<ReadError>(&cases)) {
        fmt::print(stderr, "deconv-cts: {}\n", error->message);
        exit_code = kExitUsage;
        return;
      }
      for (const SuiteCase& suite_case : std::get<std::vector<SuiteCase>>(cases)) {
        if (suite_case.test_case.sweep) {
          fmt::print(stderr, "deconv-cts: {}: a sweep has many cases; expected a single case\n",
                     ToLine(suite_case.test_case));
          exit_code = kExitUsage;
          return;
        }
        std::string taps;
        if (!at->empty()) {
          auto found = TapsText(suite_case.test_case, suite_case.test_case.EffectiveDialect(), *at);
          if (const auto* none = std::get_if<NoTaps>(&found)) {
            fmt::print(stderr, "deconv-cts: --at: {}\n", none->message);
            exit_code = kExitUsage;
            return;
          }
          taps = "\n" + std::get<std::string>(std::move(found));
        }
        fmt::print("{}{}", Explain(suite_case.test_case), taps);
      }
    }
  });
}

}  // namespace conformance
