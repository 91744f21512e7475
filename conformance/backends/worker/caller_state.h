// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds state that a call left changed: the thread's floating-point environment, its signal mask, and the process's
// locale. A library that changes them makes the results of its caller's other code wrong.

#ifndef DECONV_CONFORMANCE_BACKENDS_WORKER_CALLER_STATE_H_
#define DECONV_CONFORMANCE_BACKENDS_WORKER_CALLER_STATE_H_

#include <cfenv>
#include <csignal>
#include <cstdint>
#include <string>

namespace conformance {

/// The state of this thread when it is constructed.
class CallerState {
 public:
  CallerState();

  /// Names the differences from the state at construction: "the rounding mode, the signal mask". Empty if there are
  /// none. Restores the state, so that no later call is blamed for the change.
  std::string Restore() const;

 private:
  std::uint32_t vector_control_ = 0;  ///< x86: MXCSR without its flags; aarch64: FPCR
  std::uint32_t x87_control_ = 0;
  bool x87_taken_ = false;  ///< some of its registers
  std::fenv_t environment_{};
  sigset_t signals_{};
  std::string locale_;
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_BACKENDS_WORKER_CALLER_STATE_H_
