// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Fuzz target of the functions that decode messages of a worker, the process in which the suite runs a backend. A
// hostile backend may send any bytes in the worker's name; here they come from the input. The functions must refuse the
// bytes, or return values within their limits. The first byte of the input chooses the kind of message: 'a' an answer,
// 'h' the hello with which a worker declares what it supports, 's' the report of its sandbox. Any other byte stands for
// text that the worker prints on stderr.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <variant>

#include "conformance/backends/worker/death_reason.h"
#include "conformance/backends/worker/worker_process.h"
#include "fuzz/cases/require.h"

namespace {

using conformance::AnswerMessage;

// Decodes an answer of the right size to the request with the right number. Its other members come from the input. Then
// decodes the input itself as an answer.
void CheckAnswer(std::string_view bytes) {
  constexpr std::uint64_t kNumber = 1;
  AnswerMessage message;
  std::memcpy(reinterpret_cast<char*>(&message), bytes.data(), std::min(bytes.size(), sizeof message));
  message.number = kNumber;
  conformance::HeldResources held;
  const auto answer =
      conformance::DecodeAnswer({reinterpret_cast<const char*>(&message), sizeof message}, kNumber, held);
  fuzz::Require(answer.has_value(), "an answer of the right size and number was refused");
  fuzz::Require(answer->answer >= 0 && answer->answer <= conformance::kContractBroken, "an answer is no word");
  fuzz::Require(answer->output_dims.size() <= DECONV_BACKEND_MAX_RANK, "more dimensions were taken than there are");
  fuzz::Require(answer->message.size() < message.text.size(), "a message has no end");
  fuzz::Require(answer->implementation.size() < message.implementation.size(), "an implementation has no end");
  fuzz::Require(!conformance::DecodeAnswer(bytes, kNumber + 1, held) || bytes.size() == sizeof message,
                "a message of another size was taken as an answer");
}

// What a hello declares must be possible to encode as a hello again.
void CheckHello(std::string_view bytes) {
  const auto hello = conformance::DecodeHello(bytes);
  if (const auto* declared = std::get_if<conformance::Capabilities>(&hello)) {
    fuzz::Require(std::holds_alternative<conformance::Capabilities>(
                      conformance::DecodeHello(conformance::EncodeHello(*declared))),
                  "what was declared cannot be declared again");
  }
}

// The report lists the sandbox's protections. Without all required ones, the worker must be refused.
void CheckSandboxReport(std::string_view bytes) {
  const conformance::SandboxReport report = conformance::DecodeSandboxReport(bytes);
  fuzz::Require(!report.Refusal().empty() ||
                    (report.in_force & conformance::kRequiredProtections) == conformance::kRequiredProtections,
                "a sandbox without its protections was taken");
}

// The end of a worker's stderr is printed in reports, so it must not contain control characters but line breaks.
void CheckStderr(std::string_view bytes) {
  const conformance::StderrTail tail = conformance::StderrTailOf(bytes);
  for (const std::string_view text : {std::string_view(tail.text), std::string_view(tail.before_report)}) {
    fuzz::Require(std::ranges::none_of(text, [](unsigned char c) { return (c < 0x20 && c != '\n') || c == 0x7F; }),
                  "control characters were taken");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view rest(reinterpret_cast<const char*>(bytes) + 1, size - 1);
  switch (bytes[0]) {
    case 'a':
      CheckAnswer(rest);
      break;
    case 'h':
      CheckHello(rest);
      break;
    case 's':
      CheckSandboxReport(rest);
      break;
    default:
      CheckStderr(rest);
  }
  return 0;
}
