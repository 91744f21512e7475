// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Copies an ONNX model without its large tensors, starts the program deconv-onnx-shapes, which infers the shapes inside
// it, and reads its answer. That program limits its own time and memory. If it crashes, it is started once more in a
// mode that computes no values.

#include "conformance/formats/onnx_infer.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <protozero/pbf_reader.hpp>
#include <protozero/pbf_writer.hpp>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "conformance/backends/child_process.h"
#include "conformance/case/text/files.h"
#include "conformance/case/text/shell_command.h"
#include "conformance/formats/onnx_model.h"
#include "conformance/formats/onnx_weights.h"

namespace conformance::formats {

// The file is a tree of protobuf messages; a message is copied field by field, and the bytes of unchanged fields are
// copied as they are. Field numbers are those of onnx.proto.

namespace {

// Shape inference reads the values of small tensors, such as shapes and axes. Of weights it reads only the dims.
constexpr std::int64_t kMostElementsKept = 1024;

/// The number of elements of a tensor; nullopt if it exceeds kMostElementsKept.
std::optional<std::int64_t> ElementsOf(const OnnxTensor& tensor) {
  std::int64_t elements = 1;
  bool empty = false;
  for (const std::int64_t dim : tensor.dims) {
    empty = empty || dim <= 0;
    if (__builtin_mul_overflow(elements, std::max<std::int64_t>(dim, 1), &elements)) return std::nullopt;
  }
  if (elements > kMostElementsKept) return std::nullopt;
  return empty ? 0 : elements;
}

/// A change to one field of a message. `new_bytes` returns the new bytes of the field, or nullopt to remove the field.
struct Change {
  std::uint32_t field;
  std::function<std::optional<std::string>(std::string_view part)> new_bytes;
};

/// Whether the reader stands at this field, and the field holds bytes, a text or a message.
bool IsField(const protozero::pbf_reader& in, std::uint32_t field) {
  return in.tag_and_type() == protozero::tag_and_type(field, protozero::pbf_wire_type::length_delimited);
}

/// A copy of a message with these changes. Other fields and the order of fields stay the same.
std::string WithChanges(std::string_view message, std::initializer_list<Change> changes) {
  std::string copy;
  protozero::pbf_reader in(message.data(), message.size());
  for (const char* begin = in.data().data(); in.next(); begin = in.data().data()) {
    const auto change = std::ranges::find_if(changes, [&](const Change& listed) { return IsField(in, listed.field); });
    if (change == changes.end()) {
      in.skip();
      copy.append(begin, in.data().data());
    } else {
      const auto part = in.get_view();
      const auto changed = change->new_bytes({part.data(), part.size()});
      if (changed) protozero::pbf_writer(copy).add_message(change->field, *changed);
    }
  }
  return copy;
}

/// Reads the bytes of a small tensor from its external file.
std::optional<std::string> ExternalBytes(const OnnxTensor& tensor, std::int64_t elements,
                                         const std::filesystem::path& file) {
  const auto type = FromOnnxType(tensor.type);
  if (!type || oracle::ElementBytes(*type) == 0) return std::nullopt;
  const auto values = FileValuesOf(tensor, {*type, tensor.dims}, {}, file);
  const auto* found = std::get_if<FileValues>(&values);
  if (found == nullptr) return std::nullopt;
  std::string bytes(static_cast<std::size_t>(elements) * oracle::ElementBytes(*type), '\0');
  std::ifstream stream(found->path, std::ios::binary);
  stream.seekg(static_cast<std::streamoff>(found->offset));
  stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return stream ? std::optional(std::move(bytes)) : std::nullopt;
}

// Copies graphs without weights: initializers, and attributes of nodes Constant. The reader of models limits nesting.
// The numbers are fields of onnx.proto. Graph: 1 nodes, 5 initializers, 11 inputs, 12 outputs, 13 values. Function:
// 7 nodes. Node: 5 attributes. Attribute: 5 tensor, 6 and 11 graphs. Tensor: 1 dims, 2 type, 8 name, 9 raw data.
class Copier {
 public:
  explicit Copier(const std::filesystem::path& file) : file_(file) {}

  std::string Graph(std::string_view graph) const {
    return WithChanges(
        graph, {{1, [this](auto part) { return Node(part); }}, {5, [this](auto part) { return Tensor(part); }}});
  }
  /// The model's own graph without its inputs, outputs and values.
  std::string OwnGraph(std::string_view graph) const {
    const auto drop = [](std::string_view) -> std::optional<std::string> { return std::nullopt; };
    return WithChanges(graph, {{1, [this](auto part) { return Node(part); }},
                               {5, [this](auto part) { return Tensor(part); }},
                               {11, drop},
                               {12, drop},
                               {13, drop}});
  }
  std::string Function(std::string_view function) const {
    return WithChanges(function, {{7, [this](auto part) { return Node(part); }}});
  }

 private:
  std::string Node(std::string_view node) const {
    return WithChanges(node, {{5, [this](auto part) { return Attribute(part); }}});
  }
  std::string Attribute(std::string_view attribute) const {
    return WithChanges(attribute, {{5, [this](auto part) { return Tensor(part); }},
                                   {6, [this](auto part) { return Graph(part); }},
                                   {11, [this](auto part) { return Graph(part); }}});
  }
  std::string Tensor(std::string_view bytes) const {
    const auto read = ReadOnnxTensor(bytes);
    const auto* tensor = std::get_if<OnnxTensor>(&read);
    if (tensor == nullptr) return std::string(bytes);
    const auto elements = ElementsOf(*tensor);
    if (elements && !tensor->external) return std::string(bytes);
    std::string lean;
    protozero::pbf_writer out(lean);
    out.add_packed_int64(1, tensor->dims.begin(), tensor->dims.end());
    out.add_int32(2, tensor->type);
    out.add_string(8, tensor->name.data(), tensor->name.size());
    if (elements) {
      const auto values = ExternalBytes(*tensor, *elements, file_);
      if (values) out.add_bytes(9, *values);
    }
    return lean;
  }

  const std::filesystem::path& file_;
};

/// Writes a ValueInfoProto. Without `with_shape` it has no shape, so that inference computes it.
std::string Described(const OnnxValueInfo& info, bool with_shape) {
  if (!info.is_tensor) return std::string(info.message);
  std::string tensor;
  protozero::pbf_writer tensor_out(tensor);
  if (info.type) tensor_out.add_int32(1, *info.type);
  if (info.shape && with_shape) {
    std::string shape;
    for (const OnnxDim& dim : *info.shape) {
      std::string written;
      protozero::pbf_writer dim_out(written);
      if (dim.value && *dim.value >= 0) {
        dim_out.add_int64(1, *dim.value);
      } else if (!dim.param.empty()) {
        dim_out.add_string(2, dim.param.data(), dim.param.size());
      }
      protozero::pbf_writer(shape).add_message(1, written);
    }
    tensor_out.add_message(2, shape);
  }
  std::string type;
  protozero::pbf_writer(type).add_message(1, tensor);
  std::string described;
  protozero::pbf_writer out(described);
  out.add_string(1, info.name.data(), info.name.size());
  out.add_message(2, type);
  return described;
}

}  // namespace

std::string CopyWithoutWeights(std::string_view bytes, const OnnxGraph& graph, const std::filesystem::path& file) {
  const Copier copier(file);
  const auto lean_graph = [&](std::string_view part) {
    // Inputs, outputs and values are those of `graph`.
    std::string copy = copier.OwnGraph(part);
    protozero::pbf_writer out(copy);
    for (const OnnxValueInfo& input : graph.inputs) out.add_message(11, Described(input, true));
    // Outputs without dims lose their shape, because some exporters write them for outputs that do have dims.
    for (const OnnxValueInfo& output : graph.outputs) {
      out.add_message(12, Described(output, output.shape && !output.shape->empty()));
    }
    for (const OnnxValueInfo& value : graph.values) out.add_message(13, Described(value, true));
    return copy;
  };
  // Fields of the model: 7 graph, 25 functions.
  return WithChanges(bytes, {{7, lean_graph}, {25, [&](auto part) { return copier.Function(part); }}});
}

namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

/// Runs a program, whose path is the first of `arguments`. Returns how it ended, or why it did not start.
std::variant<ProcessEnd, ReadError> RunProgram(const std::vector<std::string>& arguments, std::FILE* input,
                                               std::FILE* output) {
  const std::string& program = arguments.front();
  if (access(program.c_str(), F_OK) != 0) {
    return ReadError{
        fmt::format("{} is missing; install libonnx-dev, then {}", program, BuildCommand("deconv-onnx-shapes"))};
  }
  std::string command = "exec";
  for (const std::string& argument : arguments) command += " " + ShellWord(argument);
  ChildProcess child;
  // The temporary files have no names. Opening /dev/fd/N opens such a file again, at its beginning.
  const std::string error =
      child.Start(fmt::format("{} </dev/fd/{} >/dev/fd/{} 2>/dev/null", command, fileno(input), fileno(output)));
  if (!error.empty()) return ReadError{fmt::format("{}: {}", program, error)};
  return child.Wait();
}

/// Says why a signal ended the program of shape inference. onnx_shapes/main.cc sets the limits that the texts name.
std::string ReasonOf(int signal) {
  if (signal == SIGALRM) return "took more than 60 s";
  if (signal == SIGXFSZ) return "its answer would have more than 256 MiB";
  if (signal == SIGABRT) return fmt::format("died by signal {} (perhaps at its limit of 2 GiB of memory)", signal);
  return fmt::format("died by signal {}", signal);
}

/// The answer of the program.
struct Answer {
  std::string text;  ///< the bytes of the model, an error message of the program, or how the program ended
  bool is_model = false;
  bool crashed = false;  ///< ended by a signal, but not at the limit of time
};

/// The whole content of a file, from its beginning.
std::string ContentOf(std::FILE* file) {
  std::string content;
  std::array<char, 65536> chunk{};
  std::rewind(file);
  while (const std::size_t size = std::fread(chunk.data(), 1, chunk.size(), file)) content.append(chunk.data(), size);
  return content;
}

/// Runs the program on the model in `input`. Returns its answer, or why it could not be started.
std::variant<Answer, ReadError> InferOnce(const std::vector<std::string>& arguments, std::FILE* input) {
  const File output(std::tmpfile());
  if (output == nullptr) {
    return ReadError{fmt::format("a temporary file cannot be written: {}", std::strerror(errno))};
  }
  const auto ran = RunProgram(arguments, input, output.get());
  if (const auto* error = std::get_if<ReadError>(&ran)) return *error;
  const auto& end = std::get<ProcessEnd>(ran);
  if (end.signal != 0) return Answer{ReasonOf(end.signal), false, end.signal != SIGALRM};
  return Answer{ContentOf(output.get()), end.status == 0, false};
}

/// Turns an answer into what InferShapes() returns.
std::variant<std::string, ReadError> AsResult(const Answer& answer) {
  if (answer.is_model) return answer.text;
  return ReadError{answer.text.empty() ? "gave no answer" : answer.text};
}

}  // namespace

std::variant<std::string, ReadError> InferShapes(std::string_view model, const OnnxGraph& graph,
                                                 const std::filesystem::path& file) {
  const std::string lean = CopyWithoutWeights(model, graph, file);
  const File input(std::tmpfile());
  if (input == nullptr || std::fwrite(lean.data(), 1, lean.size(), input.get()) != lean.size() ||
      std::fflush(input.get()) != 0) {
    return ReadError{fmt::format("a temporary file cannot be written: {}", std::strerror(errno))};
  }
  const std::string program = (ProgramFolder() / "deconv-onnx-shapes").string();
  const auto first = InferOnce({program}, input.get());
  if (const auto* error = std::get_if<ReadError>(&first)) return *error;
  const auto& answer = std::get<Answer>(first);
  if (!answer.crashed) return AsResult(answer);
  // ONNX's library crashes on some models when it computes the values of shape tensors.
  const auto second = InferOnce({program, "--without-values"}, input.get());
  const auto* other = std::get_if<Answer>(&second);
  return AsResult(other != nullptr && other->is_model ? *other : answer);
}

}  // namespace conformance::formats
