// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Imports the folders of ONNX's backend tests: a model that is one ConvTranspose, and test_data_set_N folders with its
// inputs and its output as tensors.

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/exchange/import_data.h"
#include "conformance/exchange/load_file.h"
#include "conformance/exchange/onnx_parse.h"
#include "conformance/exchange/onnx_type.h"

namespace conformance::exchange {
namespace {

constexpr std::uintmax_t kLargestFile = (std::uintmax_t{1} << 31) - 1;
constexpr int kMostDims = 64;  // what a case line can say

struct ReadTensor {
  oracle::ElementType type = oracle::ElementType::kF32;
  oracle::Dims dims;
  std::vector<std::byte> bytes;
};

template <class Repeated>
void Append(const Repeated& values, std::size_t width, std::vector<std::byte>& bytes) {
  for (const auto& value : values) {
    const std::size_t at = bytes.size();
    bytes.resize(at + width);
    std::memcpy(bytes.data() + at, &value, width);  // little-endian: the low bytes
  }
}

/// The elements of a tensor, or a sentence.
std::variant<ReadTensor, std::string> Read(const onnx::TensorProto& tensor) {
  const auto type = FromOnnxType(tensor.data_type());
  if (!type || *type == oracle::ElementType::kString || *type == oracle::ElementType::kBoolean) {
    return fmt::format("has the element type {}, expected a number", tensor.data_type());
  }
  if (tensor.data_location() == onnx::TensorProto_DataLocation_EXTERNAL) return std::string("has its values elsewhere");
  if (tensor.dims_size() > kMostDims) {
    return fmt::format("has {} dims, expected at most {}", tensor.dims_size(), kMostDims);
  }
  ReadTensor read{*type, {tensor.dims().begin(), tensor.dims().end()}, {}};
  const std::size_t width = oracle::ElementBytes(*type);
  if (tensor.has_raw_data()) {
    const std::string& raw = tensor.raw_data();
    read.bytes.resize(raw.size());
    std::memcpy(read.bytes.data(), raw.data(), raw.size());
  } else if (*type == oracle::ElementType::kF32) {
    Append(tensor.float_data(), width, read.bytes);
  } else if (*type == oracle::ElementType::kF64) {
    Append(tensor.double_data(), width, read.bytes);
  } else if (*type == oracle::ElementType::kI64) {
    Append(tensor.int64_data(), width, read.bytes);
  } else if (*type == oracle::ElementType::kU32 || *type == oracle::ElementType::kU64) {
    Append(tensor.uint64_data(), width, read.bytes);
  } else {
    Append(tensor.int32_data(), width, read.bytes);  // f16 and bf16 by their bits
  }
  std::uint64_t bytes = width;
  for (const std::int64_t dim : read.dims) {
    if (dim < 0 || __builtin_mul_overflow(bytes, static_cast<std::uint64_t>(dim), &bytes)) {
      return fmt::format("has the shape [{}]", fmt::join(read.dims, ","));
    }
  }
  if (bytes != read.bytes.size()) {
    return fmt::format("has {} bytes of values, but its shape and type need {}", read.bytes.size(), bytes);
  }
  return read;
}

std::variant<ReadTensor, std::string> ReadTensorFile(const std::filesystem::path& file) {
  auto loaded = LoadFile(file, kLargestFile);
  if (const auto* error = std::get_if<ReadError>(&loaded)) return error->message;
  onnx::TensorProto tensor;
  std::string error = ParseOnnxTensor(std::get<std::string>(loaded), tensor);
  if (!error.empty()) return fmt::format("{}: {}", file.string(), error);
  auto read = Read(tensor);
  if (const auto* sentence = std::get_if<std::string>(&read)) return fmt::format("{}: {}", file.string(), *sentence);
  return read;
}

/// Empty, or why the outputs of a data set are not those of one operator.
std::string NotOneOperator(const onnx::GraphProto& graph) {
  if (graph.node_size() != 1 || graph.node(0).op_type() != "ConvTranspose") {
    return fmt::format("the model has {} nodes, expected one ConvTranspose, whose outputs the data set records",
                       graph.node_size());
  }
  const onnx::NodeProto& node = graph.node(0);
  if (node.input_size() > 2 && !node.input(2).empty()) return "the operator has a bias, which cases have not";
  if (node.input_size() < 2 || graph.output_size() != 1 || node.output_size() < 1 ||
      graph.output(0).name() != node.output(0)) {
    return "the operator's inputs and output are not those of the graph";
  }
  return "";
}

/// Values of the graph by name: the data set's inputs, and the model's constants.
std::variant<std::map<std::string, ReadTensor>, std::string> ReadInputs(const onnx::GraphProto& graph,
                                                                        const std::filesystem::path& set) {
  std::map<std::string, ReadTensor> tensors;
  for (const onnx::TensorProto& constant : graph.initializer()) {
    auto read = Read(constant);
    if (auto* tensor = std::get_if<ReadTensor>(&read)) tensors[constant.name()] = std::move(*tensor);
  }
  for (int i = 0; i < graph.input_size(); ++i) {
    const std::filesystem::path file = set / fmt::format("input_{}.pb", i);
    std::error_code error;
    if (!std::filesystem::exists(file, error) && tensors.contains(graph.input(i).name())) continue;
    auto read = ReadTensorFile(file);
    if (auto* sentence = std::get_if<std::string>(&read)) return std::move(*sentence);
    tensors[graph.input(i).name()] = std::get<ReadTensor>(std::move(read));
  }
  return tensors;
}

/// Puts a tensor into the case. Empty, or a sentence.
std::string Put(const ReadTensor& tensor, oracle::ElementType type, const std::string& name,
                const ImportOptions& options, std::optional<GivenValues>& target, bool may_be_inline = true) {
  if (tensor.type != type) {
    return fmt::format("{} is of type {}, the model says {}", name, oracle::ElementTypeName(tensor.type),
                       oracle::ElementTypeName(type));
  }
  auto kept = KeepValues(tensor.bytes, type, tensor.dims, options.values_folder, name, may_be_inline);
  if (auto* sentence = std::get_if<std::string>(&kept)) return std::move(*sentence);
  target = std::get<GivenValues>(std::move(kept));
  return "";
}

/// Empty, or why the data set cannot be imported.
std::string AddDataSet(const onnx::GraphProto& graph, const std::filesystem::path& set, const std::string& name,
                       const ImportOptions& options, ImportedLayer& layer) {
  auto inputs = ReadInputs(graph, set);
  if (auto* sentence = std::get_if<std::string>(&inputs)) return std::move(*sentence);
  const auto& tensors = std::get<std::map<std::string, ReadTensor>>(inputs);
  const auto output = ReadTensorFile(set / "output_0.pb");
  if (const auto* sentence = std::get_if<std::string>(&output)) return *sentence;
  const auto& recorded = std::get<ReadTensor>(output);
  const auto data = tensors.find(graph.node(0).input(0));
  const auto filter = tensors.find(graph.node(0).input(1));
  if (data == tensors.end() || filter == tensors.end()) return "the values of data or filter are missing";
  oracle::Operator& op = layer.test_case.op;
  // The data set may be of another size than the model says.
  op.data.dims = data->second.dims;
  op.filter.dims = filter->second.dims;
  layer.test_case.filter_values.reset();
  layer.notes.clear();
  Finish(layer, {}, options);
  // A line's values have the dims that the dialect gives. Others must keep their own.
  const oracle::Resolution resolution = oracle::Resolve(op, layer.test_case.EffectiveDialect());
  const bool same_dims = resolution.ok() && resolution.geometry->OutputDims() == recorded.dims;
  std::string error = Put(data->second, op.data.type, name + "-data", options, layer.test_case.given_data);
  if (error.empty()) {
    error = Put(filter->second, op.filter.type, name + "-filter", options, layer.test_case.given_filter);
  }
  if (error.empty()) {
    error = Put(recorded, op.data.type, name + "-output", options, layer.test_case.recorded, same_dims);
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
  onnx::ModelProto parsed;
  (void)ParseOnnx(std::get<std::string>(loaded), parsed);  // ImportOnnx has done so too
  std::vector<std::filesystem::path> sets;
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (at->path().filename().string().starts_with("test_data_set_")) sets.push_back(at->path());
  }
  std::ranges::sort(sets);
  if (sets.empty()) return ReadError{fmt::format("{}: has no test_data_set_0", folder.string())};
  std::string reason = NotOneOperator(parsed.graph());
  if (reason.empty() && model.layers.size() != 1) return imported;  // the skipped layer says why
  ImportedModel result;
  std::filesystem::path whole = std::filesystem::absolute(folder).lexically_normal();
  if (!whole.has_filename()) whole = whole.parent_path();  // "test/" names the folder "test"
  const std::string test = whole.filename().string();
  for (const std::filesystem::path& set : sets) {
    const std::string name = fmt::format("{}-{}", test, set.filename().string());
    if (!reason.empty()) {
      result.skipped.push_back({name, reason});
      continue;
    }
    ImportedLayer layer = model.layers.front();
    layer.name = name;
    std::string sentence = AddDataSet(parsed.graph(), set, name, options, layer);
    if (sentence.empty()) {
      result.layers.push_back(std::move(layer));
    } else {
      result.skipped.push_back({name, std::move(sentence)});
    }
  }
  return result;
}

}  // namespace conformance::exchange
