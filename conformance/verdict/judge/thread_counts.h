// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// With how many threads a case runs.

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

/// One thread first, and then several. A backend that promises the same bits only for equal numbers of threads gets
/// equal numbers: one thread in one case of four.
ThreadCounts ThreadsOf(const Capabilities& declared, std::string_view case_line);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_VERDICT_JUDGE_THREAD_COUNTS_H_
