// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Imports the tensors of a case (data, filter and output) from three .npy files, or the filter from a model. Stores
// imported values in the case line (the text of the case) or in new .npy files.

#include "conformance/formats/import_data.h"

#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/case/given_values.h"
#include "conformance/case/npy_file.h"
#include "conformance/case/text/fnv.h"
#include "conformance/formats/load_file.h"
#include "conformance/formats/npy.h"

namespace conformance::formats {
namespace {

// The most values of a tensor in a case line: with three such tensors the line is still readable.
constexpr std::size_t kMostInline = 64;
constexpr std::uintmax_t kLargestNpy = std::uintmax_t{1} << 32;  // bytes, a guess

std::uint64_t HashOf(std::string_view bytes) {
  Fnv1a hash;
  hash.Add(bytes);
  return hash.value();
}

/// One of the three tensors of an imported case: an .npy file, or the filter of a model.
struct GivenTensor {
  oracle::Dims dims;
  std::string npy_type = {};         ///< type of an .npy file
  oracle::ElementType model_type{};  ///< type of a model's filter
  std::optional<GivenValues> npy = {};
  std::optional<FileValues> of_model = {};
};

std::variant<GivenTensor, ReadError> LoadNpy(const std::string& path) {
  auto loaded = LoadFile(path, kLargestNpy);
  if (auto* error = std::get_if<ReadError>(&loaded)) return std::move(*error);
  const auto& content = std::get<std::string>(loaded);
  auto parsed = ParseNpy(content);
  if (const auto* error = std::get_if<std::string>(&parsed)) return ReadError{fmt::format("{}: {}", path, *error)};
  auto& tensor = std::get<NpyTensor>(parsed);
  GivenTensor given{.dims = std::move(tensor.dims), .npy_type = std::move(tensor.type)};
  given.npy = NpyValues{std::filesystem::absolute(path).lexically_normal().string(), HashOf(content)};
  return given;
}

/// Whether the case line, whose fields are ":name=value", has this field.
bool HasField(const std::string& line, std::string_view name) {
  return line.find(fmt::format(":{}=", name)) != std::string::npos;
}

/// Reads the filter of a layer from a model. The layer must be the only one that has the operator of the case line and,
/// if the line has them, its filter dims.
std::variant<GivenTensor, ReadError> FilterOfModel(const std::string& path, const std::string& line,
                                                   ImportOptions options) {
  options.weights = true;
  const Import imported = ImportModel(path, options);
  if (const auto* error = std::get_if<ReadError>(&imported)) return *error;
  std::vector<GivenTensor> found;
  for (const ImportedLayer& layer : std::get<ImportedModel>(imported).layers) {
    const oracle::Operator& op = layer.test_case.op;
    const std::string filter = fmt::format(":filter={}:", fmt::join(op.filter.dims, ","));
    const bool fits = line.substr(0, line.find(':')) == OperatorKindName(op.kind) &&
                      (!HasField(line, "filter") || (line + ":").find(filter) != std::string::npos);
    if (!fits || !layer.test_case.filter_values) continue;
    found.push_back({.dims = op.filter.dims, .model_type = op.filter.type, .of_model = layer.test_case.filter_values});
  }
  if (found.size() == 1) return std::move(found.front());
  return ReadError{fmt::format("{}: found {} layers that fit the case and whose filter lies in the file, expected 1{}",
                               path, found.size(), found.empty() ? "" : "; name the layer by its sizes: filter=DIMS")};
}

/// Reads data, filter and output. A filter whose file name does not end in .npy comes from a model.
std::variant<std::array<GivenTensor, 3>, ReadError> ReadTensors(const std::string& line,
                                                                const std::array<std::string, 3>& files,
                                                                const ImportOptions& options) {
  std::array<GivenTensor, 3> tensors;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const bool is_model = i == 1 && std::filesystem::path(files[i]).extension() != ".npy";
    auto loaded = is_model ? FilterOfModel(files[i], line, options) : LoadNpy(files[i]);
    if (auto* error = std::get_if<ReadError>(&loaded)) return std::move(*error);
    tensors.at(i) = std::get<GivenTensor>(std::move(loaded));
  }
  return tensors;
}

/// Returns the field of a case line for the type of an .npy file, such as ":type=f32", or an empty string if no element
/// type has this NumPy type.
std::string TypeField(const std::string& npy_type) {
  for (const oracle::ElementType type : oracle::kNumericTypes) {
    // bf16 is never guessed: a .npy file cannot state it.
    if (type != oracle::ElementType::kBf16 && IsNpyTypeOf(npy_type, type)) {
      return fmt::format(":type={}", oracle::ElementTypeName(type));
    }
  }
  return "";
}

/// Returns an empty string, or why the tensor does not fit the case. `dims` is null for the output: `judge-recorded`
/// judges its dims.
std::string Misfit(const GivenTensor& tensor, oracle::ElementType type, const oracle::Dims* dims) {
  const bool has_type = tensor.of_model ? tensor.model_type == type : IsNpyTypeOf(tensor.npy_type, type);
  if (!has_type) {
    return fmt::format("has elements of type '{}', the case needs {}",
                       tensor.of_model ? ElementTypeName(tensor.model_type) : tensor.npy_type, ElementTypeName(type));
  }
  if (dims == nullptr || tensor.dims == *dims) return "";
  return fmt::format("has the shape [{}], the case needs [{}]", fmt::join(tensor.dims, ","), fmt::join(*dims, ","));
}

}  // namespace

std::variant<GivenValues, std::string> KeepValues(std::span<const std::byte> bytes, oracle::ElementType type,
                                                  const oracle::Dims& dims, const std::string& folder,
                                                  const std::string& name, bool may_be_inline) {
  const std::size_t count = bytes.size() / oracle::ElementBytes(type);
  if (count <= kMostInline && may_be_inline) return GivenValues(InlineOf(bytes, type));
  if (folder.empty()) {
    return fmt::format("{} has {} values {}; name a folder for them with --values DIR", name, count,
                       may_be_inline ? "and does not fit in a line" : "in a shape that a line cannot say");
  }
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  const std::string content = Npy(type, dims, bytes);
  // The name contains the hash, so that values with the same name but other content get another file.
  const std::uint64_t hash = HashOf(content);
  const std::filesystem::path path = std::filesystem::path(folder) / fmt::format("{}-{:016x}.npy", name, hash);
  std::filesystem::path unfinished = path;
  unfinished += ".part";
  std::ofstream file(unfinished, std::ios::binary);
  file.write(content.data(), static_cast<std::streamsize>(content.size()));
  file.close();
  if (file) std::filesystem::rename(unfinished, path, error);
  if (!file || error) {
    std::filesystem::remove(unfinished, error);
    return fmt::format("{}: cannot be written", path.string());
  }
  return GivenValues(NpyValues{path.string(), hash});
}

Import ImportNpy(std::string line, const std::array<std::string, 3>& files, const ImportOptions& options) {
  const auto given = ReadTensors(line, files, options);
  if (const auto* error = std::get_if<ReadError>(&given)) return *error;
  const auto& tensors = std::get<std::array<GivenTensor, 3>>(given);
  if (!HasField(line, "data")) line += fmt::format(":data={}", fmt::join(tensors[0].dims, ","));
  if (!HasField(line, "filter")) line += fmt::format(":filter={}", fmt::join(tensors[1].dims, ","));
  if (!HasField(line, "type")) line += TypeField(tensors[0].npy_type);
  auto parsed = ParseCaseLine(line);
  if (const auto* error = std::get_if<ParseError>(&parsed)) return ReadError{error->message};
  ImportedLayer layer{std::filesystem::path(files[2]).filename().string(), std::get<Case>(std::move(parsed)), {}};
  Case& test_case = layer.test_case;
  if (test_case.sweep || test_case.law) return ReadError{"--case: expected one operator without a law"};
  const oracle::Operator& op = test_case.op;
  const std::array<const oracle::Dims*, 3> dims = {&op.data.dims, &op.filter.dims, nullptr};
  for (std::size_t i = 0; i < files.size(); ++i) {
    const oracle::ElementType type = i == 1 ? op.filter.type : op.data.type;
    if (std::string error = Misfit(tensors[i], type, dims[i]); !error.empty()) {
      return ReadError{fmt::format("{}: {}", files[i], error)};
    }
  }
  test_case.given_data = tensors[0].npy;
  test_case.filter_values = tensors[1].of_model;
  test_case.given_filter = tensors[1].npy;
  test_case.recorded = tensors[2].npy;
  CompleteLayer(layer, tensors[2].dims, options);
  return ImportedModel{{std::move(layer)}, {}};
}

}  // namespace conformance::formats
