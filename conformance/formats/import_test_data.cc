// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Imports folders in the form of ONNX's backend tests: a model that is one ConvTranspose, and folders test_data_set_N
// with its inputs and its recorded output as tensors. Each data set becomes a case.

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/formats/import_data.h"
#include "conformance/formats/load_file.h"
#include "conformance/formats/onnx_model.h"
#include "conformance/formats/onnx_weights.h"

namespace conformance::formats {
namespace {

constexpr std::uintmax_t kLargestFile = (std::uintmax_t{1} << 31) - 1;  // the most bytes that protobuf can address

/// Reads a .pb file with one tensor. Returns its elements, or what is wrong with the file.
std::variant<OnnxElements, std::string> ReadTensorFile(const std::filesystem::path& file) {
  auto loaded = LoadFile(file, kLargestFile);
  if (const auto* error = std::get_if<ReadError>(&loaded)) return error->message;
  const auto tensor = ReadOnnxTensor(std::get<std::string>(loaded));
  if (const auto* why = std::get_if<std::string>(&tensor)) return fmt::format("{}: {}", file.string(), *why);
  auto read = ReadElements(std::get<OnnxTensor>(tensor));
  if (const auto* sentence = std::get_if<std::string>(&read)) return fmt::format("{}: {}", file.string(), *sentence);
  return read;
}

/// Returns an empty string, or why the recorded outputs are not those of a single ConvTranspose.
std::string NotOneOperator(const OnnxGraph& graph) {
  if (graph.nodes.size() != 1 || graph.nodes[0].op_type != "ConvTranspose") {
    return fmt::format("the model has {} nodes, expected one ConvTranspose, whose outputs the data set records",
                       graph.nodes.size());
  }
  const OnnxNode& node = graph.nodes[0];
  if (node.inputs.size() > 2 && !node.inputs[2].empty()) return "the operator has a bias, which cases have not";
  if (node.inputs.size() < 2 || graph.outputs.size() != 1 || node.outputs.empty() ||
      graph.outputs[0].name != node.outputs[0]) {
    return "the operator's inputs and output are not those of the graph";
  }
  return "";
}

/// Reads the tensors of a data set by name: its input files, and the constants of the model.
std::variant<std::map<std::string_view, OnnxElements>, std::string> ReadInputs(const OnnxGraph& graph,
                                                                               const std::filesystem::path& data_set) {
  std::map<std::string_view, OnnxElements> tensors;
  for (const OnnxTensor& constant : graph.initializers) {
    auto read = ReadElements(constant);
    if (auto* tensor = std::get_if<OnnxElements>(&read)) tensors[constant.name] = std::move(*tensor);
  }
  for (std::size_t i = 0; i < graph.inputs.size(); ++i) {
    const std::filesystem::path file = data_set / fmt::format("input_{}.pb", i);
    std::error_code error;
    if (!std::filesystem::exists(file, error) && tensors.contains(graph.inputs[i].name)) continue;
    auto read = ReadTensorFile(file);
    if (auto* sentence = std::get_if<std::string>(&read)) return std::move(*sentence);
    tensors[graph.inputs[i].name] = std::get<OnnxElements>(std::move(read));
  }
  return tensors;
}

/// Puts the values of a tensor into `target`. Returns an empty string, or why that is impossible.
std::string PutValues(const OnnxElements& tensor, oracle::ElementType type, const std::string& name,
                      const ImportOptions& options, std::optional<GivenValues>& target, bool may_be_inline = true) {
  if (tensor.type != type) {
    return fmt::format("{} is of type {}, the model says {}", name, oracle::ElementTypeName(tensor.type),
                       oracle::ElementTypeName(type));
  }
  auto kept =
      KeepValues(std::as_bytes(std::span(tensor.bytes)), type, tensor.dims, options.values_folder, name, may_be_inline);
  if (auto* sentence = std::get_if<std::string>(&kept)) return std::move(*sentence);
  target = std::get<GivenValues>(std::move(kept));
  return "";
}

/// Puts the tensors of the folder `data_set` into the layer. Returns an empty string, or why the data set cannot
/// be imported.
std::string AddDataSet(const OnnxGraph& graph, const std::filesystem::path& data_set, const std::string& name,
                       const ImportOptions& options, ImportedLayer& layer) {
  auto inputs = ReadInputs(graph, data_set);
  if (auto* sentence = std::get_if<std::string>(&inputs)) return std::move(*sentence);
  const auto& tensors = std::get<std::map<std::string_view, OnnxElements>>(inputs);
  const auto output = ReadTensorFile(data_set / "output_0.pb");
  if (const auto* sentence = std::get_if<std::string>(&output)) return *sentence;
  const auto& recorded = std::get<OnnxElements>(output);
  const auto data = tensors.find(graph.nodes[0].inputs[0]);
  const auto filter = tensors.find(graph.nodes[0].inputs[1]);
  if (data == tensors.end() || filter == tensors.end()) return "the values of data or filter are missing";
  oracle::Operator& op = layer.test_case.op;
  // The tensors of a data set may have other sizes than the model states.
  op.data.dims = data->second.dims;
  op.filter.dims = filter->second.dims;
  layer.test_case.filter_values.reset();
  layer.notes.clear();
  const auto geometry = CompleteLayer(layer, {}, options);
  // Values in a case line have no dims. So an output whose dims differ from those of the dialect goes to a file.
  const bool same_dims = geometry && geometry->OutputDims() == recorded.dims;
  std::string error = PutValues(data->second, op.data.type, name + "-data", options, layer.test_case.given_data);
  if (error.empty()) {
    error = PutValues(filter->second, op.filter.type, name + "-filter", options, layer.test_case.given_filter);
  }
  if (error.empty()) {
    error = PutValues(recorded, op.data.type, name + "-output", options, layer.test_case.recorded, same_dims);
  }
  return error;
}

}  // namespace

Import ImportTestData(const std::filesystem::path& folder, const ImportOptions& options) {
  const std::filesystem::path file = folder / "model.onnx";
  auto loaded = LoadFile(file, kLargestFile);
  if (auto* error = std::get_if<ReadError>(&loaded)) return std::move(*error);
  auto imported = ImportOnnx(std::get<std::string>(loaded), file, options);
  if (std::holds_alternative<ReadError>(imported)) return imported;
  auto& model = std::get<ImportedModel>(imported);
  const auto read = ReadOnnx(std::get<std::string>(loaded));
  const OnnxGraph& graph = *std::get<OnnxModel>(read).graph;  // ImportOnnx has read it too
  std::vector<std::filesystem::path> data_sets;
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (at->path().filename().string().starts_with("test_data_set_")) data_sets.push_back(at->path());
  }
  std::ranges::sort(data_sets);
  if (data_sets.empty()) return imported;  // a model without test data
  std::string reason = NotOneOperator(graph);
  if (reason.empty() && model.layers.size() != 1) return imported;  // the skipped layer says why
  ImportedModel result;
  std::filesystem::path absolute_folder = std::filesystem::absolute(folder).lexically_normal();
  if (!absolute_folder.has_filename())
    absolute_folder = absolute_folder.parent_path();  // "test/" names the folder "test"
  const std::string test = absolute_folder.filename().string();
  for (const std::filesystem::path& data_set : data_sets) {
    const std::string name = fmt::format("{}-{}", test, data_set.filename().string());
    if (!reason.empty()) {
      result.skipped.push_back({name, reason});
      continue;
    }
    ImportedLayer layer = model.layers.front();
    layer.name = name;
    std::string sentence = AddDataSet(graph, data_set, name, options, layer);
    if (sentence.empty()) {
      result.layers.push_back(std::move(layer));
    } else {
      result.skipped.push_back({name, std::move(sentence)});
    }
  }
  return result;
}

}  // namespace conformance::formats
