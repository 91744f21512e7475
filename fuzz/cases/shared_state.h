// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The state of an engine's process, in a file that the engine and the campaign both map. The current input is there
// however the process ends, and writing it needs no system call.

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

/// The longest input of a case target; the engine cuts off the rest of a longer file. Lines of many axes and large
/// numbers have a thousand bytes.
inline constexpr std::size_t kMostInputBytes = 4096;

/// The cases that ran before a failure: some thousand lines.
inline constexpr std::size_t kHistoryBytes = 1 << 19;

/// How many failing cases were not kept, and why.
struct NotKept {
  std::uint64_t duplicates = 0;  ///< the very case was kept before
  std::uint64_t explained = 0;   ///< causes that were found before explain them
  std::uint64_t untried = 0;     ///< there was no time to compare them with the causes
  std::uint64_t expected = 0;    ///< known failures

  std::uint64_t all() const { return duplicates + explained + untried + expected; }
  NotKept& operator+=(const NotKept& other);
};

struct SharedState {
  std::uint64_t executions = 0;  ///< begun
  std::uint64_t judged = 0;      ///< executions of cases that the backend declares it can do
  std::uint64_t guarded = 0;     ///< of them: judged behind guard pages
  NotKept not_kept = {};         ///< failing cases that are no findings of their own
  std::uint64_t input_size = 0;  ///< size of the last input that was begun; 0 before the first
  std::array<std::uint8_t, kMostInputBytes> input = {};
  std::uint64_t history_bytes = 0;                    ///< bytes that were ever written to the ring
  std::array<char, kHistoryBytes> history = {};       ///< the lines of the last cases that the backend got, in a ring
  std::array<std::uint8_t, kFeatures / 8> seen = {};  ///< features that some case had, a bit each
};

struct Unmap {
  void operator()(SharedState* state) const;
};
using MappedState = std::unique_ptr<SharedState, Unmap>;

/// Makes the file, if need be, and maps it. Empty if that cannot be done.
MappedState MapState(const std::string& path);

/// These functions record what the target does, if the environment names a state; else they do nothing.
void NoteBegin(std::span<const std::uint8_t> input);
void NoteJudged(std::string_view line);
void NoteGuarded();
void NoteNotKept(const NotKept& more);
void NoteFeature(std::size_t feature);

/// The lines of the ring, the oldest first.
std::vector<std::string> HistoryOf(const SharedState& state);
/// That of this process.
std::vector<std::string> OwnHistory();

}  // namespace fuzz

#endif  // DECONV_FUZZ_CASES_SHARED_STATE_H_
