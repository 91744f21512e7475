// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The further runs that a test case may ask for. A case runs twice, to see that the outputs do not change. Some faults
// show only in further runs: many calls while memory is measured, each number of threads, or turns with operators that
// differ in one attribute. conformance/verdict/judge/repeated_runs.h makes these runs.

#ifndef DECONV_CONFORMANCE_CASE_REPETITION_H_
#define DECONV_CONFORMANCE_CASE_REPETITION_H_

#include <array>
#include <string_view>

#include "conformance/case/text/names.h"

namespace conformance {

enum class Repetition { kMemory, kThreads, kTurns };

using RepetitionName = Explained<Repetition>;

/// The repetitions in the order of the enumeration.
inline constexpr std::array kRepetitions = {
    RepetitionName{
        Repetition::kMemory, "memory",
        "The operator is called many times, and the memory, open files and threads of the backend's process do "
        "not grow with the number of calls."},
    RepetitionName{Repetition::kThreads, "threads",
                   "The operator is run several times with each number of threads, and every output is right."},
    RepetitionName{Repetition::kTurns, "turns",
                   "The operator is run with other values in the same buffers, in turn with operators that differ from "
                   "it in one attribute, and every output is right."},
};

constexpr std::string_view NameOf(Repetition repetition) { return NameOf(kRepetitions, repetition); }

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_REPETITION_H_
