// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Starts the program deconv-onnx-shapes, which infers the shapes inside an ONNX model, and reads its answer. That
// program limits its own time and memory. If it crashes, it is started once more in a mode that computes no values.

#include "conformance/formats/onnx_infer.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "conformance/backends/child_process.h"
#include "conformance/case/text/files.h"
#include "conformance/case/text/shell_command.h"
#include "conformance/formats/copy_without_weights.h"

namespace conformance::formats {
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

std::string ContentOf(std::FILE* file) {
  std::string content;
  std::array<char, 65536> chunk{};
  std::rewind(file);
  while (const std::size_t size = std::fread(chunk.data(), 1, chunk.size(), file)) content.append(chunk.data(), size);
  return content;
}

/// Runs the program on `input`. Returns its answer, or why it could not be started.
std::variant<Answer, ReadError> Ask(const std::vector<std::string>& arguments, std::FILE* input) {
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
  const auto first = Ask({program}, input.get());
  if (const auto* error = std::get_if<ReadError>(&first)) return *error;
  const auto& answer = std::get<Answer>(first);
  if (!answer.crashed) return AsResult(answer);
  // ONNX's library crashes on some models when it computes the values of shape tensors.
  const auto second = Ask({program, "--without-values"}, input.get());
  const auto* other = std::get_if<Answer>(&second);
  return AsResult(other != nullptr && other->is_model ? *other : answer);
}

}  // namespace conformance::formats
