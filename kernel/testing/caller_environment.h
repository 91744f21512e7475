// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Sets floating-point environments that a caller of the kernel may have: other roundings, subnormals flushed to zero,
// and exceptions that are trapped (they end the program). Tests of the kernel run under each of them, because its
// outputs must not depend on them.
#ifndef DECONV_KERNEL_TESTING_CALLER_ENVIRONMENT_H_
#define DECONV_KERNEL_TESTING_CALLER_ENVIRONMENT_H_

#include <cfenv>
#include <cstdint>
#include <vector>

namespace deconv::testing {

struct CallerEnvironment {
  const char* name;
  int rounding;  // a rounding mode of <cfenv>
  bool flushes_subnormals;
  bool traps_exceptions;
};
// Returns the environments that this machine supports, without the default one.
std::vector<CallerEnvironment> CallerEnvironments();

// While an object lives, its thread has the environment. Only code under test should run: printing a number may trap.
class InEnvironment {
 public:
  explicit InEnvironment(const CallerEnvironment& environment);
  ~InEnvironment();
  InEnvironment(const InEnvironment&) = delete;
  InEnvironment& operator=(const InEnvironment&) = delete;

  // Returns whether rounding, flushing and traps are still exactly those that the constructor set.
  bool IsUnchanged() const;

 private:
  std::fenv_t outer_;  // the environment before the constructor
  uint64_t control_;   // the control bits of the new environment
};

}  // namespace deconv::testing

#endif  // DECONV_KERNEL_TESTING_CALLER_ENVIRONMENT_H_
