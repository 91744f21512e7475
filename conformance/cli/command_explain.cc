// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The command `explain`: prints how each dialect (one reading of the specification) resolves a case. With --sentence,
// it prints a sentence of the specification and the cases that decide it.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "conformance/case/text/names.h"
#include "conformance/cli/commands.h"
#include "conformance/cli/exit_code.h"
#include "conformance/cli/explain.h"
#include "conformance/cli/input.h"
#include "conformance/diagnosis/taps.h"
#include "conformance/suite/traceability/decisions.h"
#include "conformance/suite/traceability/sentence_page.h"
#include "oracle/sentences/sentence.h"

namespace conformance {

namespace {

struct ExplainArguments {
  std::vector<std::string> inputs;
  std::vector<std::int64_t> at;  ///< coordinate of an output; may be empty
  std::string sentence;
  std::string level = "gate";
  std::size_t most = 20;  ///< most cases that are named for a sentence
};

/// Explains one case, and with `at` the products of the output at this coordinate. Returns an exit code.
int ExplainCase(const SuiteCase& suite_case, const std::vector<std::int64_t>& at) {
  if (suite_case.test_case.sweep) {
    return UsageError(fmt::format("{}: a sweep has many cases; expected a single case", ToLine(suite_case.test_case)));
  }
  std::string taps;
  if (!at.empty()) {
    auto found = TapsText(suite_case.test_case, suite_case.test_case.EffectiveDialect(), at);
    if (const auto* none = std::get_if<NoTaps>(&found)) return UsageError("--at: " + none->message);
    taps = "\n" + std::get<std::string>(std::move(found));
  }
  fmt::print("{}{}", Explain(suite_case.test_case), taps);
  return kExitConforms;
}

int ExplainCases(const ExplainArguments& arguments) {
  for (const std::string& input : arguments.inputs) {
    const auto cases = CasesOf(input);
    if (const auto* error = std::get_if<ReadError>(&cases)) return UsageError(error->message);
    for (const SuiteCase& suite_case : std::get<std::vector<SuiteCase>>(cases)) {
      if (const int code = ExplainCase(suite_case, arguments.at); code != kExitConforms) return code;
    }
  }
  return kExitConforms;
}

int ExplainSentence(const ExplainArguments& arguments) {
  const oracle::Sentence* sentence = oracle::FindSentence(arguments.sentence);
  if (sentence == nullptr) {
    std::vector<std::string> ids;
    for (const oracle::Document& document : oracle::Documents()) {
      for (const oracle::Sentence& known : document.sentences) ids.emplace_back(known.id);
    }
    return UsageError(fmt::format("--sentence: there is no sentence {}{}; oracle/sentences.md lists them",
                                  arguments.sentence, DidYouMean(arguments.sentence, ids)));
  }
  const auto decisions = DecisionsAt(Level::kFull);
  if (const auto* error = std::get_if<ReadError>(&decisions)) return UsageError(error->message);
  fmt::print("{}", SentenceText(*sentence, std::get<std::vector<Decision>>(decisions),
                                ParseLevel(arguments.level).value_or(Level::kGate), arguments.most));
  return kExitConforms;
}

}  // namespace

void AddExplainCommand(CLI::App& program, int& exit_code) {
  CLI::App* command = program.add_subcommand(
      "explain", "show how each dialect resolves a case, clause by clause, or which cases decide a sentence");
  const auto arguments = std::make_shared<ExplainArguments>();
  command
      ->add_option("case", arguments->inputs,
                   "case lines, case ids (suite/name), layer XML files, or files of case lines")
      ->option_text("CASE|ID|FILE...");
  command
      ->add_option("--at", arguments->at, "also print the products of the output at this coordinate, such as 0,1,5,5")
      ->delimiter(',')
      ->allow_extra_args(false);
  auto* sentence =
      command
          ->add_option("--sentence", arguments->sentence,
                       "print a sentence of the specification by its id in oracle/sentences.md, its clauses, and the "
                       "cases that decide it")
          ->option_text("ID");
  command->add_option("--level", arguments->level, "with --sentence: name cases of this level: smoke, gate or full")
      ->check(CLI::IsMember({"smoke", "gate", "full"}))
      ->capture_default_str()
      ->needs(sentence);
  command->add_option("--most", arguments->most, "with --sentence: name at most this many cases")
      ->capture_default_str()
      ->needs(sentence);
  command->footer(
      "Examples:\n"
      "  deconv-cts explain corpus/spec/fragments/convolution_example3.xml\n"
      "  deconv-cts explain --at 0,0,3 ConvolutionBackpropData:data=1,1,3:filter=1,1,3:strides=2:dilations=1\n"
      "  deconv-cts explain --sentence CBW-91 --level full");
  command->callback([arguments, &exit_code] {
    if (arguments->inputs.empty() == arguments->sentence.empty()) {
      exit_code = UsageError("explain: expected either cases or --sentence ID; see deconv-cts explain --help");
      return;
    }
    exit_code = arguments->sentence.empty() ? ExplainCases(*arguments) : ExplainSentence(*arguments);
  });
}

}  // namespace conformance
