// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Chooses the numbers of threads that the two runs of a case ask the backend for. Some bugs show only with one thread,
// or only with several; others make the outputs depend on the number.

#ifndef DECONV_CONFORMANCE_VERDICT_JUDGE_THREAD_COUNTS_H_
#define DECONV_CONFORMANCE_VERDICT_JUDGE_THREAD_COUNTS_H_

#include <string_view>

#include "conformance/interface/backend.h"

namespace conformance {

/// Numbers of threads that the two runs ask for; 0 leaves the number to the backend.
struct ThreadCounts {
  int first = 0;
  int second = 0;
};

/// One thread in the first run and several in the second. A backend that promises equal bits only for equal numbers of
/// threads gets equal numbers: one thread in a quarter of the cases. The hash of the case line decides.
ThreadCounts ThreadsOf(const Capabilities& declared, std::string_view case_line);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_VERDICT_JUDGE_THREAD_COUNTS_H_
