// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The loop of a worker, the process that runs a backend: it reads a request (to run a case or a batch, or to say
// whether a case is supported), calls the backend, and writes the answer. Also encodes and decodes the messages between
// worker and runner. If the backend ends this process, the runner goes on.

#include "conformance/backends/worker/worker_process.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "conformance/backends/open_backend.h"
#include "conformance/backends/worker/bad_access.h"
#include "conformance/backends/worker/batch.h"
#include "conformance/case/case.h"
#include "conformance/case/text/json_text.h"
#include "conformance/interface/caller_state.h"
#include "conformance/interface/capabilities_json.h"

namespace conformance {
namespace {

using nlohmann::json;

void SetText(AnswerMessage& answer, std::string_view text) {
  const std::size_t size = std::min(text.size(), answer.text.size() - 1);
  std::memcpy(answer.text.data(), text.data(), size);
}

AnswerMessage ErrorMessage(std::string_view text) {
  AnswerMessage answer;
  SetText(answer, text);
  return answer;
}

/// Runs the case of a line on the shared buffers, message.calls times or until a call computes nothing.
AnswerMessage RunCase(Backend& backend, GuardedView& view, const RunMessage& message, std::string_view line) {
  const auto parsed = ParseCaseLine(line);
  if (const auto* error = std::get_if<ParseError>(&parsed)) return ErrorMessage("worker: " + error->message);
  const Case& test_case = std::get<Case>(parsed);
  if (!view.Map(kWorkerArena, {message.bytes, message.placement}, message.inputs))
    return ErrorMessage("worker: cannot map the buffers");
  const auto part = [&](std::size_t buffer) {
    const bool is_null = message.has_output == 0 && message.bytes.at(buffer) == 0;
    return is_null ? std::span<std::byte>() : view.buffer(buffer);
  };
  const RunBuffers buffers = {part(kDataBuffer), part(kFilterBuffer), part(kOutputBuffer)};
  RunAnswer last;
  const CallerState caller_state;
  for (std::int32_t call = 0; call < std::max(message.calls, 1); ++call) {
    last = backend.Run(test_case.op, static_cast<oracle::Dialect>(message.dialect), buffers, message.threads);
    if (last.answer != DECONV_ANSWER_COMPUTED) break;
  }
  NoteChangedState(caller_state, last);
  AnswerMessage answer;
  if (message.calls > 1) answer.held = ResourcesOfThisProcess();
  answer.answer = last.answer;
  answer.rank = static_cast<std::int32_t>(std::min<std::size_t>(last.output_dims.size(), DECONV_BACKEND_MAX_RANK));
  std::copy_n(last.output_dims.begin(), answer.rank, answer.dims.begin());
  SetText(answer, last.message);
  std::copy_n(last.implementation.begin(), std::min(last.implementation.size(), answer.implementation.size() - 1),
              answer.implementation.begin());
  return answer;
}

AnswerMessage AskSupports(Backend& backend, const SupportsMessage& message, std::string_view line) {
  const auto parsed = ParseCaseLine(line);
  if (const auto* error = std::get_if<ParseError>(&parsed)) return ErrorMessage("worker: " + error->message);
  const CallerState caller_state;
  RunAnswer supported = backend.Supports(std::get<Case>(parsed).op, static_cast<oracle::Dialect>(message.dialect));
  NoteChangedState(caller_state, supported);
  AnswerMessage answer;
  answer.answer = supported.answer;
  SetText(answer, supported.message);
  return answer;
}

/// Reads a packet that consists of a message of type `Message` and a text line. Returns the line, or nothing if the
/// packet is of another kind.
template <typename Message>
std::optional<std::string_view> SplitPacket(std::string_view packet, RequestKind kind, Message& message) {
  RequestKind found{};
  if (packet.size() < sizeof message) return std::nullopt;
  packet.copy(reinterpret_cast<char*>(&found), sizeof found);
  if (found != kind) return std::nullopt;
  packet.copy(reinterpret_cast<char*>(&message), sizeof message);
  return packet.substr(sizeof message);
}

/// Raises the limit of open files to 65,536. `repeat=memory` calls a backend some 1,800 times. A backend that leaves a
/// file open in each call would reach the usual limit of 1,024 files, and fail for another reason.
void AllowOpenFiles() {
  constexpr rlim_t kEnough = rlim_t{1} << 16;
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) != 0) return;
  files.rlim_cur = std::max(files.rlim_cur, std::min(files.rlim_max, kEnough));
  setrlimit(RLIMIT_NOFILE, &files);
}

/// Opens the backend, sends its declarations, and serves requests until the runner closes the socket.
int Serve(std::string_view backend_name, const std::optional<SandboxPolicy>& policy) {
  // In a sandbox this process outlives the runner, to remove the scratch folder.
  if (!policy) prctl(PR_SET_PDEATHSIG, SIGKILL);
  // Ctrl-C is for the runner, which ends its workers itself.
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, SIG_IGN);
  // Processes that the backend starts must not hold the runner's descriptors. Crashes of the backend must leave no core
  // files in the user's folder.
  for (const int inherited : {kWorkerSocket, kWorkerArena}) fcntl(inherited, F_SETFD, FD_CLOEXEC);
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  AllowOpenFiles();
  if (policy) {
    const std::string report = EncodeSandboxReport(EnterSandbox(*policy));
    if (send(kWorkerSocket, report.data(), report.size(), MSG_NOSIGNAL) < 0) return 0;
  }
  GuardedView view;
  ReportCrashesIn(view);
  auto opened = OpenBackend(backend_name);
  std::variant<Capabilities, BackendError> hello;
  if (auto* error = std::get_if<BackendError>(&opened)) {
    hello = *error;
  } else {
    hello = std::get<std::unique_ptr<Backend>>(opened)->capabilities();
  }
  const std::string packet = EncodeHello(hello);
  if (send(kWorkerSocket, packet.data(), packet.size(), MSG_NOSIGNAL) < 0 || hello.index() == 1) return 0;
  Backend& backend = *std::get<std::unique_ptr<Backend>>(opened);

  BatchServer batches;
  std::vector<char> buffer(kLargestPacket);
  for (;;) {
    const ssize_t size = recv(kWorkerSocket, buffer.data(), buffer.size(), 0);
    std::uint64_t number = 0;
    if (size < static_cast<ssize_t>(sizeof number)) return 0;
    std::string_view request(buffer.data(), static_cast<std::size_t>(size));
    request.copy(reinterpret_cast<char*>(&number), sizeof number);
    request.remove_prefix(sizeof number);
    AnswerMessage answer;
    RunMessage run;
    BatchMessage batch;
    SupportsMessage supports;
    if (const auto line = SplitPacket(request, RequestKind::kRun, run)) {
      answer = RunCase(backend, view, run, *line);
    } else if (const auto sweep = SplitPacket(request, RequestKind::kBatch, batch)) {
      answer = batches.Serve(backend, view, batch, *sweep);
    } else if (const auto asked = SplitPacket(request, RequestKind::kSupports, supports)) {
      answer = AskSupports(backend, supports, *asked);
    } else {
      return 0;
    }
    answer.number = number;
    if (send(kWorkerSocket, &answer, sizeof answer, MSG_NOSIGNAL) < 0) return 0;
  }
}

}  // namespace

std::string EncodeHello(const std::variant<Capabilities, BackendError>& hello) {
  nlohmann::ordered_json packet;
  if (const auto* error = std::get_if<BackendError>(&hello)) {
    packet = {{"error", error->message}, {"usage", error->usage}};
  } else {
    packet = CapabilitiesToJson(std::get<Capabilities>(hello));
  }
  // A backend's texts may be no UTF-8.
  return JsonText(packet);
}

std::variant<Capabilities, BackendError> DecodeHello(std::string_view packet) {
  const json hello = ParseJsonIfValid(packet);
  if (!hello.is_object()) return BackendError{false, "the worker's first message is not a JSON object"};
  if (hello.contains("error")) {
    const auto usage = hello.find("usage");
    const json& error = hello.at("error");
    return BackendError{
        usage != hello.end() && *usage == true,
        error.is_string() ? error.get<std::string>() : "the worker's first message has an error of no text"};
  }
  auto declared = CapabilitiesFromJson(hello);
  if (const auto* complaint = std::get_if<std::string>(&declared)) {
    return BackendError{false, "the worker's first message: " + *complaint};
  }
  return std::get<Capabilities>(std::move(declared));
}

deconv_answer AnswerOf(std::int32_t word) {
  return word < 0 || word > kContractBroken ? kContractBroken : static_cast<deconv_answer>(word);
}

std::optional<RunAnswer> DecodeAnswer(std::string_view packet, std::uint64_t number, HeldResources& held) {
  AnswerMessage message;
  if (packet.size() != sizeof message) return std::nullopt;
  packet.copy(reinterpret_cast<char*>(&message), sizeof message);
  if (message.number != number) return std::nullopt;
  RunAnswer answer;
  answer.answer = AnswerOf(message.answer);
  const int rank = std::clamp<int>(message.rank, 0, DECONV_BACKEND_MAX_RANK);
  answer.output_dims.assign(message.dims.begin(), message.dims.begin() + rank);
  message.text.back() = '\0';
  answer.message = message.text.data();
  message.implementation.back() = '\0';
  answer.implementation = message.implementation.data();
  held = message.held;
  return answer;
}

std::string EncodeSandboxReport(const SandboxReport& report) {
  return JsonText(nlohmann::ordered_json{{"in_force", report.in_force}, {"missing", report.missing}});
}

SandboxReport DecodeSandboxReport(std::string_view packet) {
  SandboxReport report;
  const json read = ParseJsonIfValid(packet);
  if (read.is_object() && read.contains("in_force") && read.at("in_force").is_number_unsigned()) {
    report.in_force = read.at("in_force").get<std::uint32_t>();
    for (const json& missing : read.value("missing", json::array())) {
      if (missing.is_string()) report.missing.push_back(missing.get<std::string>());
    }
  } else {
    report.missing = {"the worker's process sent no report"};
  }
  return report;
}

int ServeIfWorker(std::span<char* const> arguments) {
  if (arguments.size() < 3 || arguments.size() > 4 || arguments[1] != kWorkerArgument) return -1;
  std::optional<SandboxPolicy> policy;
  if (arguments.size() == 4) policy = DecodeSandbox(arguments[3]);
  return Serve(arguments[2], policy);
}

}  // namespace conformance
