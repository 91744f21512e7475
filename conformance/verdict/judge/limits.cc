// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes the time limit of a backend's run from the number of steps that the run takes.

#include "conformance/verdict/judge/limits.h"

namespace conformance {

std::chrono::nanoseconds JudgeLimits::TimeFor(double work) const {
  const std::chrono::duration<double> limit(patience * (base_seconds + work / steps_per_second));
  return std::chrono::duration_cast<std::chrono::nanoseconds>(limit);
}

}  // namespace conformance
