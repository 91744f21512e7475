// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Offers a command as a backend (an implementation that the suite judges): translates each call of the C interface into
// a request line and an answer line of the process protocol (process_protocol.md). It runs in a worker, the process
// that the runner starts for each backend.

#include "conformance/backends/process_interface.h"

#include <array>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <memory>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "conformance/backends/child_process.h"
#include "conformance/backends/crash_report.h"
#include "conformance/backends/process_messages.h"
#include "conformance/interface/answer.h"
#include "conformance/interface/backend_description.h"
#include "conformance/interface/describe_operator.h"
#include "conformance/interface/resolved_geometry.h"
#include "oracle/element_type.h"

namespace conformance {
namespace {

// If an output has an unexpected shape, up to this many bytes are read and dropped. A process with a larger output is
// killed instead.
constexpr std::uint64_t kMostDiscarded = std::uint64_t{64} << 20;

// The last lines that the command wrote to standard error, as the end of a message. Empty if there are none.
std::string StderrWords() {
  const std::string lines = LastLinesOfStderr();
  return lines.empty() ? "" : "; stderr: " + Printable(lines);
}

// Ends this process in the way in which the command ended. The runner sees only the worker's end.
[[noreturn]] void EndLike(const ProcessEnd& end) {
  if (end.signal != 0) {
    std::signal(end.signal, SIG_DFL);
    raise(end.signal);
  }
  _exit(end.status);
}

/// A command and its process. A breach of the protocol ends the process; the next request starts a new one.
class ProcessBackend {
 public:
  explicit ProcessBackend(std::string command) : command_(std::move(command)) {}

  /// Starts the process and asks it to describe itself. Returns an empty string, or what went wrong.
  std::string Start() {
    if (std::string error = child_.Start(command_); !error.empty()) return error;
    PassStackRequests(child_.group());
    const std::int64_t id = next_id_++;
    const std::string request = DescribeRequestLine(id);
    std::string line;
    const std::array<std::string_view, 1> parts = {request};
    const ChildProcess::Read read = child_.Ask(parts, kLongestAnswer, line);
    if (read == ChildProcess::Read::kEnded) {
      const std::string wrote = line.empty() ? "" : fmt::format("; stdout: '{}'", Printable(line.substr(0, 80)));
      return fmt::format("the command {} before it described itself{}", child_.WaitOrKill().Text(), wrote);
    }
    if (read == ChildProcess::Read::kTooLong) return KillBecause(TooLongLine(line));
    auto answer = ReadDescribeAnswer(line, id);
    if (const auto* complaint = std::get_if<std::string>(&answer)) return KillBecause("its description " + *complaint);
    if (std::string left = LeftOver(); !left.empty()) return KillBecause(left);
    auto& description = std::get<ProcessDescription>(answer);
    if (!description_.text.empty()) {
      return description.text == description_.text
                 ? ""
                 : KillBecause("its description differs from that of its first start");
    }
    StoreDescription(std::move(description));
    return "";
  }

  const deconv_backend_description* Describe() const { return &description_.declared; }
  bool resolves() const { return description_.resolves; }
  bool answers_supports() const { return description_.answers_supports; }

  deconv_answer Run(deconv_run_request& request) {
    const auto read = ReadOperator(*request.operation);
    if (const auto* complaint = std::get_if<std::string>(&read))
      return Answer(request, DECONV_ANSWER_ERROR, *complaint);
    const auto& op = std::get<oracle::Operator>(read);
    const std::int64_t id = next_id_++;
    const std::string header = RunRequestLine(id, op, request);
    const std::array<std::string_view, 3> parts = {header,
                                                   {static_cast<const char*>(request.data), request.data_bytes},
                                                   {static_cast<const char*>(request.filter), request.filter_bytes}};
    std::string line;
    if (const std::string breach = Exchange(parts, line); !breach.empty()) return Breach(request, breach);
    auto answered = ReadRunAnswer(line, id, request.resolved != nullptr);
    if (const auto* complaint = std::get_if<std::string>(&answered)) {
      return Breach(request, fmt::format("its answer {}", *complaint));
    }
    auto& answer = std::get<ProcessAnswer>(answered);
    if (request.resolved != nullptr && answer.dims.empty() && answer.answer == DECONV_ANSWER_COMPUTED) {
      answer.dims = OutputDimsOf(*request.resolved);
    }
    WriteOutputDims(request, answer.dims);
    WriteImplementation(request, answer.implementation);
    deconv_answer final_answer = answer.answer;
    if (final_answer == DECONV_ANSWER_COMPUTED) {
      const std::uint64_t bytes = TensorBytes({op.data.type, answer.dims});
      if (bytes != answer.output_bytes) {
        return Breach(request,
                      fmt::format("\"output_bytes\" is {}, but its dims [{}] of {} take {}", answer.output_bytes,
                                  fmt::join(answer.dims, ", "), oracle::ElementTypeName(op.data.type), bytes));
      }
      if (bytes != request.output_bytes) {
        // The shape is wrong, so the verdict needs only the dims. The bytes must be dropped.
        final_answer = DECONV_ANSWER_OTHER_SHAPE;
        if (bytes > kMostDiscarded) {
          Kill();
        } else if (child_.Discard(bytes) == ChildProcess::Read::kEnded) {
          return EndOrBreach(request);
        }
      } else if (child_.ReadBytes({static_cast<std::byte*>(request.output), request.output_bytes}) ==
                 ChildProcess::Read::kEnded) {
        return EndOrBreach(request);
      }
    }
    if (const std::string left = LeftOver(); !left.empty()) return Breach(request, left);
    return Answer(request, final_answer, answer.message);
  }

  std::int32_t Supports(deconv_supports_request& request) {
    const auto read = ReadOperator(*request.operation);
    if (const auto* complaint = std::get_if<std::string>(&read)) return Breach(request, *complaint);
    const std::int64_t id = next_id_++;
    const std::string header = SupportsRequestLine(id, std::get<oracle::Operator>(read), request);
    const std::array<std::string_view, 1> parts = {header};
    std::string line;
    if (const std::string breach = Exchange(parts, line); !breach.empty()) return Breach(request, breach);
    const auto answered = ReadSupportsAnswer(line, id);
    if (const auto* complaint = std::get_if<std::string>(&answered)) {
      return Breach(request, fmt::format("its answer to supports {}", *complaint));
    }
    if (const std::string left = LeftOver(); !left.empty()) return Breach(request, left);
    const auto& answer = std::get<SupportsAnswer>(answered);
    WriteMessage(request, answer.message);
    return answer.supported ? 1 : 0;
  }

  deconv_answer Resolve(deconv_resolve_request& request) {
    const auto read = ReadOperator(*request.operation);
    if (const auto* complaint = std::get_if<std::string>(&read))
      return Answer(request, DECONV_ANSWER_ERROR, *complaint);
    const std::int64_t id = next_id_++;
    const std::string header = ResolveRequestLine(id, std::get<oracle::Operator>(read), request.operation->dialect);
    const std::array<std::string_view, 1> parts = {header};
    std::string line;
    if (const std::string breach = Exchange(parts, line); !breach.empty()) return Breach(request, breach);
    const auto answered = ReadResolveAnswer(line, id);
    if (const auto* complaint = std::get_if<std::string>(&answered)) {
      return Breach(request, fmt::format("its answer {}", *complaint));
    }
    if (const std::string left = LeftOver(); !left.empty()) return Breach(request, left);
    const auto& answer = std::get<ProcessAnswer>(answered);
    if (answer.answer == DECONV_ANSWER_COMPUTED) {
      AnswerResolved(request, answer.dims, answer.pads_begin.value_or(oracle::Dims{}));
      request.tells_pads_begin = answer.pads_begin ? 1 : 0;
    }
    return Answer(request, answer.answer, answer.message);
  }

  void Close() { child_.Close(); }

  void Kill() {
    PassStackRequests(0);
    child_.Kill();
  }

 private:
  // Stores the description, and lets the pointers of the C interface's description point into it.
  void StoreDescription(ProcessDescription description) {
    description_ = std::move(description);
    dialects_.clear();
    for (const std::string& name : description_.dialects) dialects_.push_back(name.c_str());
    dialects_.push_back(nullptr);
    description_.declared.name = description_.name.c_str();
    description_.declared.version = description_.version.c_str();
    description_.declared.dialects = dialects_.data();
    description_.declared.arithmetic = description_.arithmetic.empty() ? nullptr : description_.arithmetic.data();
    description_.declared.arithmetic_count = description_.arithmetic.size();
  }

  /// Kills the process, and returns the reason.
  std::string KillBecause(std::string reason) {
    Kill();
    return reason;
  }

  /// The complaint about an answer's line that is longer than the protocol allows.
  static std::string TooLongLine(const std::string& line) {
    return fmt::format("it wrote a line of more than {} bytes, beginning with '{}'", kLongestAnswer,
                       Printable(line.substr(0, 40)));
  }

  /// Returns a complaint if bytes follow an answer, such as a second answer or a stray print. Empty if none follow.
  std::string LeftOver() {
    const std::string left = child_.UnreadOutput();
    if (left.empty()) return "";
    return fmt::format("it wrote more than was asked for: '{}'", Printable(left));
  }

  /// Sends the parts of a request to the process, which is started if none runs, and reads the answer's line. Returns
  /// an empty string, or how the protocol was broken.
  std::string Exchange(std::span<const std::string_view> parts, std::string& line) {
    if (!child_.runs()) {
      if (const std::string error = Start(); !error.empty()) return "it could not be started again: " + error;
    }
    if (const std::string left = child_.UnreadOutput(); !left.empty()) {
      return fmt::format("it wrote '{}' before it was asked", Printable(left));
    }
    const ChildProcess::Read read = child_.Ask(parts, kLongestAnswer, line);
    if (read == ChildProcess::Read::kTooLong) return TooLongLine(line);
    if (read == ChildProcess::Read::kDone) return "";
    const ProcessEnd end = child_.WaitOrKill();
    if (!end.alive) EndLike(end);
    return "it " + end.Text();
  }

  /// Ends this process as the command's process ended, or returns a breach if that process still runs.
  template <typename Request>
  deconv_answer EndOrBreach(Request& request) {
    const ProcessEnd end = child_.WaitOrKill();
    if (!end.alive) EndLike(end);
    return Breach(request, fmt::format("it {}", end.Text()));
  }

  /// Handles a breach of the protocol: kills the process, because the meaning of its next bytes is unknown, and writes
  /// the message.
  template <typename Request>
  deconv_answer Breach(Request& request, const std::string& what) {
    const std::string words = StderrWords();
    WriteMessage(request, "the command broke the protocol: " + KillBecause(what) + words);
    return kContractBroken;
  }

  std::string command_;
  ChildProcess child_;
  std::int64_t next_id_ = 0;
  ProcessDescription description_;     ///< of the first start; later ones must be equal
  std::vector<const char*> dialects_;  ///< the list to which description_ points
};

ProcessBackend& BackendOf(void* self) { return *static_cast<ProcessBackend*>(self); }

// Nothing may be thrown through the interface.
template <typename Request>
deconv_answer Guarded(void* self, Request* request, deconv_answer (ProcessBackend::*function)(Request&)) {
  try {
    return (BackendOf(self).*function)(*request);
  } catch (const std::exception& error) {  // std::bad_alloc
    BackendOf(self).Kill();                // unread bytes of this answer would be taken for the next one
    return Answer(*request, DECONV_ANSWER_ERROR, error.what());
  }
}

}  // namespace

OpenedInterface OpenProcess(const std::string& command) {
  if (command.find_first_not_of(" \t\n") == std::string::npos) {
    return BackendError{
        .usage = true,
        .message = fmt::format("backend '{0}{1}': expected a command behind '{0}'", kProcessPrefix, command)};
  }
  // With this variable, Python prints its stack when it crashes, and when the runner asks for the stack.
  setenv("PYTHONFAULTHANDLER", "1", 0);  // NOLINT(concurrency-mt-unsafe): the worker has one thread here
  auto process = std::make_unique<ProcessBackend>(command);
  if (const std::string error = process->Start(); !error.empty()) {
    return BackendError{.usage = false,
                        .message = fmt::format("backend {}{}: {}{}", kProcessPrefix, command, error, StderrWords())};
  }
  deconv_backend interface{};
  interface.size = sizeof interface;
  interface.abi = DECONV_BACKEND_ABI;
  interface.describe = [](void* self) { return BackendOf(self).Describe(); };
  interface.run = [](void* self, deconv_run_request* request) { return Guarded(self, request, &ProcessBackend::Run); };
  interface.close = [](void* self) {
    BackendOf(self).Close();
    delete &BackendOf(self);
  };
  if (process->answers_supports()) {
    interface.supports = [](void* self, deconv_supports_request* request) -> std::int32_t {
      try {
        return BackendOf(self).Supports(*request);
      } catch (const std::exception& error) {  // out of memory
        WriteMessage(*request, error.what());
        return kContractBroken;
      }
    };
  }
  if (process->resolves()) {
    interface.resolve = [](void* self, deconv_resolve_request* request) {
      return Guarded(self, request, &ProcessBackend::Resolve);
    };
  }
  interface.self = process.release();
  return interface;
}

}  // namespace conformance
