// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The other side of the process door. It serves any backend of this build over standard input and output as
// process_protocol.md says, or breaks the protocol in one chosen way. The doctor and the tests start this program in
// that role; deconv-server has no other role.

#ifndef DECONV_CONFORMANCE_BACKENDS_SERVE_PROCESS_H_
#define DECONV_CONFORMANCE_BACKENDS_SERVE_PROCESS_H_

#include <array>
#include <span>
#include <string>
#include <string_view>

namespace conformance {

/// The first argument that makes a program of ours such a server; then the backend's name, then a breach or nothing.
inline constexpr std::string_view kServeArgument = "--deconv-serve";

/// Ways to break the protocol. Those from kText on do so in the answer to `run`.
enum class Breach {
  kNone,
  kTextBeforeDescription,  ///< a line of text first
  kNoDescription,          ///< exits instead of describing itself
  kOtherProtocol,
  kUnknownKey,  ///< in the description
  kText,        ///< a line of text before the answer
  kTwice,       ///< answers twice
  kOtherNumber,
  kLongLine,     ///< a line without end
  kOtherLength,  ///< dims and bytes disagree
  kTooFewBytes,  ///< fewer bytes than the answer says, then exits
  kClosesOutput,
  kExits,  ///< with status 3, and a last word
  kDies,   ///< by SIGABRT
  kHangs,
};

struct BreachName {
  Breach breach;
  std::string_view name;
};

inline constexpr std::array kBreaches = {
    BreachName{Breach::kTextBeforeDescription, "text-before-description"},
    BreachName{Breach::kNoDescription, "no-description"},
    BreachName{Breach::kOtherProtocol, "other-protocol"},
    BreachName{Breach::kUnknownKey, "unknown-key"},
    BreachName{Breach::kText, "text"},
    BreachName{Breach::kTwice, "twice"},
    BreachName{Breach::kOtherNumber, "other-number"},
    BreachName{Breach::kLongLine, "long-line"},
    BreachName{Breach::kOtherLength, "other-length"},
    BreachName{Breach::kTooFewBytes, "too-few-bytes"},
    BreachName{Breach::kClosesOutput, "closes-output"},
    BreachName{Breach::kExits, "exits"},
    BreachName{Breach::kDies, "dies"},
    BreachName{Breach::kHangs, "hangs"},
};

/// Serves until the end of input; returns the exit status, 3 if there is no such backend.
int ServeProcess(const std::string& backend, Breach breach = Breach::kNone);

/// If the program was started as a server: serves until the end of input and returns the exit status. To be called
/// first thing in main. Returns -1 otherwise.
int ServeIfProcess(std::span<char* const> arguments);

/// The backend's name, "cmd:...", that starts this program as a server of `backend`.
std::string ServedBackendName(std::string_view backend, std::string_view breach = "");

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_BACKENDS_SERVE_PROCESS_H_
