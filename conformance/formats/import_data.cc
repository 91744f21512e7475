// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Stores imported values, and imports triples of .npy files.

#include "conformance/formats/import_data.h"

#include <filesystem>
#include <fstream>
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

// A line of three such tensors stays readable.
constexpr std::size_t kMostInline = 64;
constexpr std::uintmax_t kLargestNpy = std::uintmax_t{1} << 32;

std::uint64_t HashOf(std::string_view bytes) {
  Fnv1a hash;
  hash.Add(bytes);
  return hash.value();
}

struct LoadedNpy {
  NpyTensor tensor;
  std::uint64_t hash = 0;
};

std::variant<LoadedNpy, ReadError> LoadNpy(const std::string& path) {
  auto loaded = LoadFile(path, kLargestNpy);
  if (auto* error = std::get_if<ReadError>(&loaded)) return std::move(*error);
  const auto& content = std::get<std::string>(loaded);
  auto parsed = ParseNpy(content);
  if (const auto* error = std::get_if<std::string>(&parsed)) return ReadError{fmt::format("{}: {}", path, *error)};
  return LoadedNpy{std::get<NpyTensor>(std::move(parsed)), HashOf(content)};
}

bool HasField(const std::string& line, std::string_view name) {
  return line.find(fmt::format(":{}=", name)) != std::string::npos;
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
  // The hash is in the name, so that other values of the same name get another file.
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
  std::array<LoadedNpy, 3> tensors;
  for (std::size_t i = 0; i < files.size(); ++i) {
    auto loaded = LoadNpy(files[i]);
    if (auto* error = std::get_if<ReadError>(&loaded)) return std::move(*error);
    tensors[i] = std::get<LoadedNpy>(std::move(loaded));
  }
  if (!HasField(line, "data")) line += fmt::format(":data={}", fmt::join(tensors[0].tensor.dims, ","));
  if (!HasField(line, "filter")) line += fmt::format(":filter={}", fmt::join(tensors[1].tensor.dims, ","));
  if (!HasField(line, "type")) {
    for (const oracle::ElementType type :
         {oracle::ElementType::kF64, oracle::ElementType::kF32, oracle::ElementType::kF16, oracle::ElementType::kI8,
          oracle::ElementType::kI16, oracle::ElementType::kI32, oracle::ElementType::kI64, oracle::ElementType::kU8,
          oracle::ElementType::kU16, oracle::ElementType::kU32, oracle::ElementType::kU64}) {
      if (!IsNpyTypeOf(tensors[0].tensor.type, type)) continue;
      line += fmt::format(":type={}", oracle::ElementTypeName(type));
      break;
    }
  }
  auto parsed = ParseCaseLine(line);
  if (const auto* error = std::get_if<ParseError>(&parsed)) return ReadError{error->message};
  ImportedLayer layer{std::filesystem::path(files[2]).filename().string(), std::get<Case>(std::move(parsed)), {}};
  Case& test_case = layer.test_case;
  if (test_case.sweep || test_case.law) return ReadError{"--case: expected one operator without a law"};
  for (std::size_t i = 0; i < files.size(); ++i) {
    const oracle::ElementType type = i == 1 ? test_case.op.filter.type : test_case.op.data.type;
    if (!IsNpyTypeOf(tensors[i].tensor.type, type)) {
      return ReadError{fmt::format("{}: has elements of type '{}', the case needs {}", files[i], tensors[i].tensor.type,
                                   oracle::ElementTypeName(type))};
    }
  }
  const std::array<const oracle::Dims*, 2> dims = {&test_case.op.data.dims, &test_case.op.filter.dims};
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (tensors[i].tensor.dims == *dims[i]) continue;
    return ReadError{fmt::format("{}: has the shape [{}], the case needs [{}]", files[i],
                                 fmt::join(tensors[i].tensor.dims, ","), fmt::join(*dims[i], ","))};
  }
  const auto place = [&](std::size_t i) {
    return NpyValues{std::filesystem::absolute(files[i]).lexically_normal().string(), tensors[i].hash};
  };
  test_case.filter_values.reset();
  test_case.given_data = place(0);
  test_case.given_filter = place(1);
  test_case.recorded = place(2);
  Finish(layer, tensors[2].tensor.dims, options);
  return ImportedModel{{std::move(layer)}, {}};
}

}  // namespace conformance::formats
