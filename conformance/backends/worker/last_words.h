// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds what a worker's process said last: the end of its stderr as one line for a verdict's message.

#ifndef DECONV_CONFORMANCE_BACKENDS_WORKER_LAST_WORDS_H_
#define DECONV_CONFORMANCE_BACKENDS_WORKER_LAST_WORDS_H_

#include <string>
#include <string_view>

namespace conformance {

/// What stderr ends with. Control characters are replaced by '?'.
struct LastWords {
  std::string text;             ///< the line or lines that say most, in one line; empty if there are none
  std::string backtrace;        ///< the stack of a crash report, a frame a line
  bool reported = false;        ///< `text` comes from a crash report (conformance/backends/worker/crash_report.h)
  bool wrote_to_input = false;  ///< and it says to which byte of data or filter the backend wrote
};
LastWords LastWordsOf(std::string_view standard_error);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_BACKENDS_WORKER_LAST_WORDS_H_
