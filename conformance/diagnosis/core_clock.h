// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// A clock that stands still while its thread, or a process that this thread started, waits for a core. Other programs
// on the same machine then do not change what is measured.

#ifndef DECONV_CONFORMANCE_DIAGNOSIS_CORE_CLOCK_H_
#define DECONV_CONFORMANCE_DIAGNOSIS_CORE_CLOCK_H_

#include <chrono>
#include <cstdint>
#include <map>

namespace conformance {

/// To be used by the thread that makes it. The thread and its processes must work one after the other.
class CoreClock {
 public:
  CoreClock();

  /// Since the clock was made. Where the system does not tell waiting times, it is the elapsed time.
  double Seconds();

 private:
  void ReadWaits();

  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point read_ = start_;
  std::int64_t first_ = 0;                 ///< how long the thread had waited before, in nanoseconds
  std::int64_t last_ = 0;                  ///< and has now
  std::map<int, std::int64_t> before_;     ///< of each process of the thread
  std::map<int, std::int64_t> processes_;  ///< also of those that have ended
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_DIAGNOSIS_CORE_CLOCK_H_
