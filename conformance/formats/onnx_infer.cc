// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Starts the program deconv-onnx-shapes on a model and reads its answer. The program limits its own time and memory.

#include "conformance/formats/onnx_infer.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <protozero/pbf_reader.hpp>
#include <protozero/pbf_writer.hpp>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "conformance/backends/child_process.h"
#include "conformance/case/text/build_command.h"
#include "conformance/case/text/program_folder.h"
#include "conformance/case/text/shell_word.h"
#include "conformance/formats/onnx_model.h"

namespace conformance::formats {
namespace {

// Inference reads the values of shapes, axes and the like; of weights it reads dims alone. Larger ones only cost time.
constexpr std::int64_t kMostElementsKept = 1024;

bool IsLarge(const OnnxTensor& tensor) {
  std::int64_t elements = 1;
  for (const std::int64_t dim : tensor.dims) {
    if (__builtin_mul_overflow(elements, std::max<std::int64_t>(dim, 1), &elements)) return true;
  }
  return elements > kMostElementsKept;
}

/// A change to one field of a message: `change` returns what replaces a part that has this field number.
struct Change {
  std::uint32_t field;
  std::string (*change)(std::string_view part);
};

/// The message with these changes. Its other fields stay as they are, and all fields keep their order.
std::string WithChanges(std::string_view message, std::initializer_list<Change> changes) {
  std::string copy;
  protozero::pbf_reader in(message.data(), message.size());
  for (const char* begin = in.data().data(); in.next(); begin = in.data().data()) {
    const auto change = std::ranges::find_if(changes, [&](const Change& one) {
      return in.tag_and_type() == protozero::tag_and_type(one.field, protozero::pbf_wire_type::length_delimited);
    });
    if (change == changes.end()) {
      in.skip();
      copy.append(begin, in.data().data());
    } else {
      const auto part = in.get_view();
      protozero::pbf_writer(copy).add_message(change->field, change->change({part.data(), part.size()}));
    }
  }
  return copy;
}

std::string LeanTensor(std::string_view bytes) {
  const auto read = ReadOnnxTensor(bytes);
  const auto* tensor = std::get_if<OnnxTensor>(&read);
  if (tensor == nullptr || !IsLarge(*tensor)) return std::string(bytes);
  std::string lean;
  protozero::pbf_writer out(lean);
  out.add_packed_int64(1, tensor->dims.begin(), tensor->dims.end());
  out.add_int32(2, tensor->type);
  out.add_string(8, tensor->name.data(), tensor->name.size());
  return lean;
}

// Weights are initializers of graphs, or attributes of nodes Constant. The reader has limited how deep graphs nest.
std::string LeanGraph(std::string_view graph);
std::string LeanAttribute(std::string_view attribute) {
  return WithChanges(attribute, {{5, LeanTensor}, {6, LeanGraph}, {11, LeanGraph}});
}
std::string LeanNode(std::string_view node) { return WithChanges(node, {{5, LeanAttribute}}); }
std::string LeanGraph(std::string_view graph) { return WithChanges(graph, {{1, LeanNode}, {5, LeanTensor}}); }
std::string LeanFunction(std::string_view function) { return WithChanges(function, {{7, LeanNode}}); }
std::string LeanModel(std::string_view model) { return WithChanges(model, {{7, LeanGraph}, {25, LeanFunction}}); }

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

/// How the program ended, or why it did not run. `arguments` begins with its path.
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
  // The files have no names. The shell opens them anew, at their beginnings.
  const std::string error =
      child.Start(fmt::format("{} </dev/fd/{} >/dev/fd/{} 2>/dev/null", command, fileno(input), fileno(output)));
  if (!error.empty()) return ReadError{fmt::format("{}: {}", program, error)};
  return child.Wait();
}

/// The limits are those of onnx_shapes/main.cc.
std::string ReasonOf(int signal) {
  if (signal == SIGALRM) return "took more than 60 s";
  if (signal == SIGXFSZ) return "its answer would have more than 256 MiB";
  if (signal == SIGABRT) return fmt::format("died by signal {} (perhaps at its limit of 2 GiB of memory)", signal);
  return fmt::format("died by signal {}", signal);
}

std::string ContentOf(std::FILE* file) {
  std::string content;
  std::array<char, 65536> chunk{};
  std::rewind(file);
  while (const std::size_t size = std::fread(chunk.data(), 1, chunk.size(), file)) content.append(chunk.data(), size);
  return content;
}

}  // namespace

std::variant<std::string, ReadError> InferShapes(std::string_view model, const std::vector<ShapeHint>& shapes) {
  std::vector<std::string> arguments = {(ProgramFolder() / "deconv-onnx-shapes").string()};
  for (const ShapeHint& hint : shapes) arguments.push_back(fmt::format("{}={}", hint.name, fmt::join(hint.dims, ",")));
  const std::string lean = LeanModel(model);
  const File input(std::tmpfile()), output(std::tmpfile());
  if (input == nullptr || output == nullptr || std::fwrite(lean.data(), 1, lean.size(), input.get()) != lean.size() ||
      std::fflush(input.get()) != 0) {
    return ReadError{fmt::format("a temporary file cannot be written: {}", std::strerror(errno))};
  }
  const auto ran = RunProgram(arguments, input.get(), output.get());
  if (const auto* error = std::get_if<ReadError>(&ran)) return *error;
  const auto& end = std::get<ProcessEnd>(ran);
  if (end.signal != 0) return ReadError{ReasonOf(end.signal)};
  std::string answer = ContentOf(output.get());
  if (end.status != 0) return ReadError{answer.empty() ? "gave no answer" : std::move(answer)};
  return answer;
}

}  // namespace conformance::formats
