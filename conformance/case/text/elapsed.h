// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Measures elapsed time in seconds, for time limits and for the times in reports.

#ifndef DECONV_CONFORMANCE_CASE_TEXT_ELAPSED_H_
#define DECONV_CONFORMANCE_CASE_TEXT_ELAPSED_H_

#include <chrono>

namespace conformance {

inline double SecondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_TEXT_ELAPSED_H_
