// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Shares the state of an engine, a process that runs libFuzzer, with the campaign, the program that started it. Both
// map the same file into memory. The current input survives in the file even if the engine crashes, and writing it
// needs no system call.

#ifndef DECONV_FUZZ_CASES_SHARED_STATE_H_
#define DECONV_FUZZ_CASES_SHARED_STATE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/cases/case_features.h"

namespace fuzz {

/// The longest input of a fuzz target that takes cases; the engine cuts off the rest of a longer file. A case line (the
/// text of a case) with many axes and large numbers has about a thousand bytes, and some inputs have several lines.
inline constexpr std::size_t kMostInputBytes = 4096;

/// Bytes for the cases that ran before a failure: some thousand lines.
inline constexpr std::size_t kHistoryBytes = 1 << 19;

/// How many failing cases were not written to the file of findings, and why.
struct NotKept {
  std::uint64_t duplicates = 0;  ///< the same case had failed before
  std::uint64_t explained = 0;   ///< a cause that was found before explains the case
  std::uint64_t untried = 0;     ///< there was no time to compare the case with the causes, or the file was full
  std::uint64_t expected = 0;    ///< the user's file of known failures lists the failure

  std::uint64_t all() const { return duplicates + explained + untried + expected; }
  NotKept& operator+=(const NotKept& other);
};

/// The content of the state file.
struct SharedState {
  std::uint64_t executions = 0;  ///< inputs that were begun
  std::uint64_t judged = 0;      ///< executions of cases that the backend declares to support
  std::uint64_t guarded = 0;     ///< judged executions with guard pages: memory beside buffers whose use is a crash
  NotKept not_kept = {};         ///< failing cases that are no findings of their own
  std::uint64_t input_size = 0;  ///< size of the last input that was begun; 0 before the first
  std::array<std::uint8_t, kMostInputBytes> input = {};
  std::uint64_t history_bytes = 0;                    ///< all bytes that were written to `history` so far
  std::array<char, kHistoryBytes> history = {};       ///< lines of the last cases that the backend ran: a ring buffer
  std::array<std::uint8_t, kFeatures / 8> seen = {};  ///< one bit for each feature that some case had
};

/// Frees the mapping of a state file.
struct Unmap {
  void operator()(SharedState* state) const;
};
using MappedState = std::unique_ptr<SharedState, Unmap>;

/// Maps the file, and creates it if it does not exist. Returns null if that fails.
MappedState MapState(const std::string& path);

// These functions record this process's work in the state file that the environment variable DECONV_FUZZ_STATE names.
// Without one they do nothing.

/// Stores the input that begins, and counts it in `executions`.
void NoteInput(std::span<const std::uint8_t> input);
/// Counts a case in `judged`, and adds its line to `history`.
void NoteJudged(std::string_view line);
/// Counts a judged execution between guard pages.
void NoteGuarded();
/// Adds to the counts of failing cases that were not kept.
void NoteDiscarded(const NotKept& more);
/// Marks in `seen` that a case had the feature with this number.
void NoteFeature(std::size_t feature);

/// The case lines in the ring buffer `history`, the oldest first.
std::vector<std::string> HistoryOf(const SharedState& state);
/// The same for the state of this process; empty without a state file.
std::vector<std::string> OwnHistory();

}  // namespace fuzz

#endif  // DECONV_FUZZ_CASES_SHARED_STATE_H_
