// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The worker's side: the loop that serves requests in the process that runs a backend, and the messages between this
// process and the runner. Each message is one packet of a socket.

#ifndef DECONV_CONFORMANCE_BACKENDS_WORKER_WORKER_PROCESS_H_
#define DECONV_CONFORMANCE_BACKENDS_WORKER_WORKER_PROCESS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "conformance/backends/sandbox.h"
#include "conformance/backends/worker/arena.h"
#include "conformance/backends/worker/process_resources.h"
#include "conformance/interface/backend.h"

namespace conformance {

/// The first argument that makes a program of the suite a worker. The second argument is the backend's name; an
/// optional third one is the policy of a sandbox.
inline constexpr std::string_view kWorkerArgument = "--deconv-worker";

/// Descriptors that the worker inherits.
inline constexpr int kWorkerSocket = 3;
inline constexpr int kWorkerArena = 4;

/// The kind of a request. A request begins with a 64-bit number, which its answer repeats, and its kind.
enum class RequestKind : std::int32_t { kRun, kBatch, kSupports };

/// The request to run a case. The case line follows in the same packet.
struct RunMessage {
  RequestKind kind = RequestKind::kRun;
  std::int32_t dialect = 0;
  std::int32_t threads = 0;
  Placement placement = Placement::kAgainstEnd;
  std::int32_t has_output = 1;  ///< 0: the operator is invalid, and tensors without bytes are NULL
  Inputs inputs = Inputs::kWritable;
  std::int32_t calls = 1;  ///< calls of the backend, one after the other; the answer is that of the last one
  std::array<std::uint64_t, kBufferCount> bytes = {};
};

/// The request that only asks whether the backend supports an operator. The case line follows in the same packet.
struct SupportsMessage {
  RequestKind kind = RequestKind::kSupports;
  std::int32_t dialect = 0;
};

/// The answer to each kind of request.
struct AnswerMessage {
  std::uint64_t number = 0;  ///< number of the request
  std::int32_t answer = DECONV_ANSWER_ERROR;
  std::int32_t rank = 0;
  std::array<std::int64_t, DECONV_BACKEND_MAX_RANK> dims = {};
  std::array<char, 512> text = {};
  std::array<char, 64> implementation = {};
  HeldResources held = {};  ///< resources held after a run of several calls
};

/// Converts a number that a worker wrote to an answer. Returns kContractBroken if no answer has this number.
deconv_answer AnswerOf(std::int32_t word);

inline constexpr std::size_t kLargestPacket = 160 * 1024;  // a case line has at most 64 KiB

/// The first message of a worker: the declarations of the backend, or why the backend could not be opened.
std::string EncodeHello(const std::variant<Capabilities, BackendError>& hello);
std::variant<Capabilities, BackendError> DecodeHello(std::string_view packet);

/// Reads the answer to the request of this number. Returns nothing if the packet is no such answer. A hostile backend
/// may have written the packet: `answer` is always an enumerator or a constant of backend.h, and texts and sizes are
/// within their limits.
std::optional<RunAnswer> DecodeAnswer(std::string_view packet, std::uint64_t number, HeldResources& held);

/// The message that a worker in a sandbox sends before its first message: the protections in force.
std::string EncodeSandboxReport(const SandboxReport& report);
/// Reads that message. A malformed packet gives a report without protections.
SandboxReport DecodeSandboxReport(std::string_view packet);

/// If the program was started as a worker, serves until the runner closes the socket, and returns the exit status.
/// Otherwise returns -1. Every program that runs backends must call it first in main().
int ServeIfWorker(std::span<char* const> arguments);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_BACKENDS_WORKER_WORKER_PROCESS_H_
