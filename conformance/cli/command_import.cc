// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The command `import`: prints every transposed convolution of a model, of recorded tensors or of a line of source code
// as a case line, the text that all other commands accept as a case.

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/cli/commands.h"
#include "conformance/cli/exit_code.h"
#include "conformance/cli/input.h"
#include "conformance/formats/import_data.h"
#include "conformance/formats/import_model.h"
#include "conformance/formats/lines/import_line.h"
#include "conformance/formats/load_file.h"
#include "conformance/report/report_file.h"

namespace conformance {
namespace {

struct ImportArguments {
  std::vector<std::string> files;
  std::vector<std::string> shapes;
  std::string dialect;
  std::string output;
  bool weights = false;
  std::string values;
  std::string case_line;  ///< operator of three files of tensors
  std::string line;       ///< line of source code or of a log
};

/// Reads "NAME=1,3,224,224"; NAME may contain '='. If `may_be_nameless`, also "1,3,224,224", the dims of the data.
std::variant<formats::ShapeHint, std::string> ParseShape(const std::string& text, bool may_be_nameless) {
  const auto usage_error = [&] {
    return fmt::format("--shape {}: expected NAME=DIMS with sizes of at least 0, such as data=1,3,224,224",
                       formats::OneLine(text));
  };
  const std::size_t equals = text.rfind('=');
  const bool is_nameless = equals == std::string::npos;
  if (equals == 0 || (is_nameless && !may_be_nameless)) return usage_error();
  formats::ShapeHint hint{is_nameless ? "" : text.substr(0, equals), {}};
  std::string_view rest = std::string_view(text).substr(is_nameless ? 0 : equals + 1);
  while (true) {
    const std::string_view field = rest.substr(0, rest.find(','));
    std::int64_t dim = 0;
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), dim);
    if (error != std::errc() || end != field.data() + field.size() || dim < 0) return usage_error();
    hint.dims.push_back(dim);
    if (field.size() == rest.size()) return hint;
    rest.remove_prefix(field.size() + 1);
  }
}

std::variant<formats::ImportOptions, std::string> OptionsOf(const ImportArguments& arguments) {
  formats::ImportOptions options;
  options.weights = arguments.weights;
  options.values_folder =
      arguments.values.empty() ? "" : std::filesystem::absolute(arguments.values).lexically_normal().string();
  if (!arguments.dialect.empty()) {
    auto dialect = DialectOf(arguments.dialect);
    if (auto* usage_error = std::get_if<std::string>(&dialect)) return std::move(*usage_error);
    options.dialect = std::get<oracle::Dialect>(dialect);
  }
  for (const std::string& text : arguments.shapes) {
    auto shape = ParseShape(text, !arguments.line.empty());
    if (auto* usage_error = std::get_if<std::string>(&shape)) return std::move(*usage_error);
    auto& hint = std::get<formats::ShapeHint>(shape);
    if (std::ranges::find(options.shapes, hint.name, &formats::ShapeHint::name) != options.shapes.end()) {
      return fmt::format("--shape {}: {} is given twice", formats::OneLine(text),
                         hint.name.empty() ? "the shape of the data" : formats::OneLine(hint.name));
    }
    options.shapes.push_back(std::move(hint));
  }
  return options;
}

// The most characters of a note or a reason: enough for a sentence with a name and two shapes.
constexpr std::size_t kLongestRemark = 500;

void PrintRemarks(const std::string& file, const formats::ImportedModel& model) {
  for (const formats::ImportedLayer& layer : model.layers) {
    for (const std::string& note : layer.notes) {
      fmt::print(stderr, "{}: layer '{}': note: {}\n", file, formats::OneLine(layer.name),
                 formats::OneLine(note, kLongestRemark));
    }
  }
  for (const formats::SkippedLayer& layer : model.skipped) {
    fmt::print(stderr, "{}: layer '{}' skipped: {}{}\n", file, formats::OneLine(layer.name),
               formats::OneLine(layer.reason, kLongestRemark), formats::OneLine(layer.advice, kLongestRemark));
  }
}

int Execute(const ImportArguments& arguments) {
  const auto options = OptionsOf(arguments);
  if (const auto* usage_error = std::get_if<std::string>(&options)) return UsageError(*usage_error);
  ReportFile output;
  if (!arguments.output.empty()) {
    if (const std::string error = output.Open(arguments.output); !error.empty()) return UsageError(error);
  }
  formats::CaseList list;
  std::size_t skipped = 0;
  int exit_code = kExitConforms;
  std::vector<std::string> files = arguments.files;
  std::array<std::string, 3> tensor_files;
  if (!arguments.case_line.empty()) {
    if (files.size() != tensor_files.size()) {
      return UsageError(fmt::format("--case: found {} files, expected DATA.npy FILTER OUTPUT.npy", files.size()));
    }
    std::ranges::move(files, tensor_files.begin());
    files = {tensor_files[2]};  // the three files are one case, which is named after the output
  }
  if (!arguments.line.empty()) {
    if (!files.empty()) return UsageError("--line: expected no files beside it");
    files = {"line"};
  }
  if (files.empty()) return UsageError("expected a FILE, or --line");
  for (const std::string& file : files) {
    const auto& given = std::get<formats::ImportOptions>(options);
    const auto imported = !arguments.line.empty()       ? formats::ImportLine(arguments.line, given)
                          : arguments.case_line.empty() ? formats::ImportModel(file, given)
                                                        : formats::ImportNpy(arguments.case_line, tensor_files, given);
    if (const auto* error = std::get_if<ReadError>(&imported)) {
      exit_code = UsageError(error->message);
      continue;  // one bad file does not lose the others
    }
    const auto& model = std::get<formats::ImportedModel>(imported);
    PrintRemarks(file, model);
    list.Add(model, std::filesystem::path(file).filename().string());
    skipped += model.skipped.size();
  }
  if (exit_code != kExitConforms && list.layers() + skipped == 0) return exit_code;
  fmt::print(stderr, "deconv-cts: {} of {} layers imported as {} different cases\n", list.layers(),
             list.layers() + skipped, list.cases());
  if (list.cases() == 0) return exit_code == kExitConforms ? kExitNothingJudged : exit_code;
  if (!output.is_open()) {
    fmt::print("{}", list.Text());
  } else if (const std::string error = output.Commit(list.Text()); !error.empty()) {
    return UsageError(error);
  }
  return exit_code;
}

}  // namespace

void AddImportCommand(CLI::App& program, int& exit_code) {
  CLI::App* command = program.add_subcommand("import", "print the transposed convolutions of real models as cases");
  const auto arguments = std::make_shared<ImportArguments>();
  command
      ->add_option(
          "file", arguments->files,
          "OpenVINO IR (model.xml with its .bin), a bare layer.xml, model.onnx, a folder of ONNX test data, the "
          ".json of a oneDNN graph, or with --case DATA.npy FILTER OUTPUT.npy")
      ->option_text("FILE...");
  command->add_option(
      "--line", arguments->line,
      "instead of files, a line of source or of a log: a call of PyTorch, Keras or TensorFlow, a problem "
      "of benchdnn, or a line of ONEDNN_VERBOSE; --shape gives the dims of the data");
  command->add_option("-o,--output", arguments->output, "write the case lines to this file instead of printing them");
  command
      ->add_option("--shape", arguments->shapes,
                   "dims of an input or of any other value that the model leaves open, such as "
                   "NAME=1,3,224,224, or the size of a symbol, such as SYMBOL=224; may be repeated")
      ->allow_extra_args(false);
  command->add_option("--dialect", arguments->dialect, "the dialect of the cases, for operators that it defines");
  command->add_flag("--weights", arguments->weights,
                    "use the model's weights: the cases name their place in the model file");
  command->add_option("--values", arguments->values,
                      "folder for the values of test data that do not fit in a case line, as .npy files");
  command->add_option(
      "--case", arguments->case_line,
      "case line of the operator to which DATA.npy FILTER OUTPUT.npy belong; it may leave out data, filter and type. "
      "FILTER is an .npy file, or a model with one layer that fits the case");
  command->footer(
      "Prints one case line for each different layer, with the names of the layers after a '#'. Skipped layers are\n"
      "named on standard error. Exit code 5: no layer could be imported.\n"
      "Examples:\n"
      "  deconv-cts import model.xml -o layers.txt && deconv-cts run --backend ./libvendor.so layers.txt\n"
      "  deconv-cts import decoder.onnx --shape input=1,3,224,224 --dialect onnxruntime\n"
      "  deconv-cts import --line 'torch: ConvTranspose2d(4, 3, 3, stride=2)' --shape 1,4,8,8");
  command->callback([arguments, &exit_code] { exit_code = Execute(*arguments); });
}

}  // namespace conformance
