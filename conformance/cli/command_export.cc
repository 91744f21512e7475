// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The command `export`: writes cases (operators with values) in the formats of other tools, for example as ONNX models
// or as a C++ program for a bug report.

#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "conformance/cli/commands.h"
#include "conformance/cli/exit_code.h"
#include "conformance/cli/input.h"
#include "conformance/formats/export_case.h"
#include "conformance/report/report_file.h"

namespace conformance {
namespace {

struct ExportArguments {
  std::string format;
  std::string folder;
  std::string dialect;
  std::vector<std::string> inputs;
  Selection selection;
  std::string level = "gate";
};

/// Returns the cases that the arguments name, or the selected cases of the suites if no case is named.
std::variant<std::vector<SuiteCase>, ReadError> ChosenCases(const ExportArguments& arguments) {
  if (arguments.inputs.empty()) {
    if (arguments.selection.suites.empty() && arguments.selection.filters.empty()) {
      return ReadError{"nothing to export: name cases, or select some with --suite or --filter"};
    }
    Selection selection = arguments.selection;
    if (const auto level = ParseLevel(arguments.level)) selection.level = *level;
    return SelectCases(selection);
  }
  if (!arguments.selection.suites.empty())
    return ReadError{"--suite: cannot be combined with cases; use one or the other"};
  std::vector<SuiteCase> chosen;
  for (const std::string& input : arguments.inputs) {
    auto cases = CasesOf(input);
    if (auto* error = std::get_if<ReadError>(&cases)) return std::move(*error);
    for (SuiteCase& suite_case : std::get<std::vector<SuiteCase>>(cases)) chosen.push_back(std::move(suite_case));
  }
  return chosen;
}

/// Writes files so that each is complete or absent. Returns an empty string, or which file could not be written.
std::string WriteAll(const std::filesystem::path& folder, const std::vector<formats::ExportedFile>& files) {
  for (const formats::ExportedFile& file : files) {
    const std::filesystem::path path = folder / file.path;
    std::error_code error;
    std::filesystem::create_directories(path.parent_path(), error);
    if (error) return fmt::format("{}: cannot be created: {}", path.parent_path().string(), error.message());
    ReportFile output;
    if (std::string message = output.Open(path.string()); !message.empty()) return message;
    if (std::string message = output.Commit(file.content); !message.empty()) return message;
  }
  return {};
}

/// Returns the case in this dialect, or the reason if the dialect does not define the operator. Without a dialect, the
/// case stays as it is.
std::variant<Case, std::string> CaseIn(std::optional<oracle::Dialect> dialect, Case test_case) {
  if (!dialect || *dialect == test_case.EffectiveDialect()) return test_case;
  if (!oracle::Defines(*dialect, test_case.op.kind)) {
    return fmt::format("dialect {} does not define {}", oracle::DialectName(*dialect),
                       oracle::OperatorKindName(test_case.op.kind));
  }
  test_case.dialect.reset();
  if (*dialect != test_case.EffectiveDialect()) test_case.dialect = dialect;
  return test_case;
}

/// Returns the files of the case in this dialect, or the reason why it cannot be exported.
formats::Export ExportIn(std::optional<oracle::Dialect> dialect, formats::Format format, const std::string& name,
                         const Case& test_case) {
  auto in_dialect = CaseIn(dialect, test_case);
  if (auto* sentence = std::get_if<std::string>(&in_dialect)) return std::move(*sentence);
  return formats::ExportCase(format, name, std::get<Case>(in_dialect));
}

int Execute(const ExportArguments& arguments) {
  const auto format = formats::ParseFormat(arguments.format);
  std::optional<oracle::Dialect> dialect;
  if (!arguments.dialect.empty()) {
    const auto named = DialectOf(arguments.dialect);
    if (const auto* wrong = std::get_if<std::string>(&named)) return UsageError(*wrong);
    dialect = std::get<oracle::Dialect>(named);
  }
  const auto chosen = ChosenCases(arguments);
  if (const auto* error = std::get_if<ReadError>(&chosen)) return UsageError(error->message);
  std::set<std::string> names;
  std::size_t written = 0;
  const auto& cases = std::get<std::vector<SuiteCase>>(chosen);
  for (const SuiteCase& suite_case : cases) {
    // Several cases may have the same name. From the second one on, the name gets a number.
    std::string name = suite_case.name;
    for (int copy = 2; !names.insert(name).second; ++copy) name = fmt::format("{}-{}", suite_case.name, copy);
    const formats::Export exported = ExportIn(dialect, *format, name, suite_case.test_case);
    if (const auto* sentence = std::get_if<std::string>(&exported)) {
      fmt::print(stderr, "deconv-cts: {} not exported: {}\n", name, *sentence);
      continue;
    }
    const auto& files = std::get<std::vector<formats::ExportedFile>>(exported);
    if (const std::string error = WriteAll(arguments.folder, files); !error.empty()) return UsageError(error);
    ++written;
    const std::filesystem::path first = std::filesystem::path(arguments.folder) / files.front().path;
    fmt::print("{}\n", files.size() == 1 ? first.string() : first.parent_path().string());
  }
  fmt::print(stderr, "deconv-cts: {} of {} cases exported\n", written, cases.size());
  return written == 0 ? kExitNothingJudged : kExitConforms;
}

}  // namespace

void AddExportCommand(CLI::App& program, int& exit_code) {
  CLI::App* command = program.add_subcommand("export", "write cases in the formats of other tools");
  const auto arguments = std::make_shared<ExportArguments>();
  std::vector<std::string> formats;
  for (const auto& [format, name] : formats::kFormats) formats.emplace_back(name);
  command->add_option("--format", arguments->format, "the format: ir, onnx, benchdnn, graph-json or cpp")
      ->check(CLI::IsMember(formats))
      ->required();
  command->add_option("--out", arguments->folder, "the folder to write to; it is created if needed")->required();
  command->add_option("--dialect", arguments->dialect,
                      "the dialect that gives the expected outputs; without it, the dialect of each case");
  command
      ->add_option("case", arguments->inputs,
                   "case lines, case ids (suite/name), layer XML files, or files of case lines")
      ->option_text("CASE|ID|FILE...");
  command->add_option("--suite", arguments->selection.suites, "export the cases of this suite; may be repeated")
      ->allow_extra_args(false);
  command->add_option("--level", arguments->level, "level of the suites: smoke, gate or full")
      ->check(CLI::IsMember({"smoke", "gate", "full"}))
      ->capture_default_str();
  command
      ->add_option("--filter", arguments->selection.filters,
                   "export only cases of the suites whose suite/name matches this glob; may be repeated")
      ->allow_extra_args(false);
  command->footer(
      "Prints the folder or file of each case. Cases that a format cannot express are named on standard error.\n"
      "conformance/formats/formats.md lists what each format loses. Exit code 5: no case could be exported.\n"
      "Examples:\n"
      "  deconv-cts export --format onnx --out models --suite attributes --level smoke\n"
      "  deconv-cts export --format cpp --out . ConvTranspose:data=1,1,2,2:filter=1,1,3,3:strides=2,2");
  command->callback([arguments, &exit_code] { exit_code = Execute(*arguments); });
}

}  // namespace conformance
