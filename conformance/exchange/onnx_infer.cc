// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Starts the program deconv-onnx-shapes on a model and reads its answer. The program limits its own time and memory.

#include "conformance/exchange/onnx_infer.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <protozero/pbf_reader.hpp>
#include <protozero/pbf_writer.hpp>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "conformance/exchange/onnx_model.h"
#include "conformance/text/program_folder.h"

namespace conformance::exchange {
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

/// The message, with `change` of each part that is a message of field `field`.
template <class Change>
std::string WithChanged(std::string_view message, std::uint32_t field, const Change& change) {
  std::string copy;
  protozero::pbf_reader in(message.data(), message.size());
  for (const char* begin = in.data().data(); in.next(); begin = in.data().data()) {
    if (in.tag_and_type() == protozero::tag_and_type(field, protozero::pbf_wire_type::length_delimited)) {
      const auto part = in.get_view();
      protozero::pbf_writer(copy).add_message(field, change(std::string_view(part.data(), part.size())));
    } else {
      in.skip();
      copy.append(begin, in.data().data());
    }
  }
  return copy;
}

std::string WithoutLargeTensor(std::string_view bytes) {
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

std::string WithoutLargeTensors(std::string_view model) {
  return WithChanged(model, 7, [](std::string_view graph) { return WithChanged(graph, 5, WithoutLargeTensor); });
}

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

/// The status that waitpid gives, or why the program did not run.
std::variant<int, ReadError> RunProgram(std::vector<std::string> arguments, std::FILE* input, std::FILE* output) {
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, fileno(input), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, fileno(output), STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int code = posix_spawn(&child, pointers[0], &actions, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (code == ENOENT) {
    return ReadError{
        fmt::format("{} is missing; install libonnx-dev, then run cmake --preset release && cmake --build "
                    "--preset release --target deconv-onnx-shapes",
                    pointers[0])};
  }
  if (code != 0) return ReadError{fmt::format("{}: {}", pointers[0], std::strerror(code))};
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
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
  const std::string lean = WithoutLargeTensors(model);
  const File input(std::tmpfile()), output(std::tmpfile());
  if (input == nullptr || output == nullptr || std::fwrite(lean.data(), 1, lean.size(), input.get()) != lean.size() ||
      std::fflush(input.get()) != 0) {
    return ReadError{fmt::format("a temporary file cannot be written: {}", std::strerror(errno))};
  }
  std::rewind(input.get());
  const auto ran = RunProgram(std::move(arguments), input.get(), output.get());
  if (const auto* error = std::get_if<ReadError>(&ran)) return *error;
  const int status = std::get<int>(ran);
  if (WIFSIGNALED(status)) {
    return ReadError{WTERMSIG(status) == SIGALRM ? "took more than 60 s"
                                                 : fmt::format("died by signal {}", WTERMSIG(status))};
  }
  std::string answer = ContentOf(output.get());
  if (WEXITSTATUS(status) != 0) return ReadError{answer.empty() ? "gave no answer" : std::move(answer)};
  return answer;
}

}  // namespace conformance::exchange
