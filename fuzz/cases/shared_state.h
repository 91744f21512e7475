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

#include "fuzz/cases/case_features.h"

namespace fuzz {

/// The longest input of a case target; the engine cuts off the rest of a longer file. Lines of many axes and large
/// numbers have a thousand bytes.
inline constexpr std::size_t kMostInputBytes = 4096;

struct SharedState {
  std::uint64_t executions = 0;  ///< begun
  std::uint64_t judged = 0;      ///< executions of cases that the backend declares it can do
  std::uint64_t input_size = 0;  ///< size of the last input that was begun; 0 before the first
  std::array<std::uint8_t, kMostInputBytes> input = {};
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
void NoteJudged();
void NoteFeature(std::size_t feature);

}  // namespace fuzz

#endif  // DECONV_FUZZ_CASES_SHARED_STATE_H_
