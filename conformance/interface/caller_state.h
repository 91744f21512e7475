// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds state that a call of a backend (the library under test) left changed: the thread's floating-point environment,
// its signal mask, and the process's locale. A library that leaves them changed makes later code of its caller wrong.

#ifndef DECONV_CONFORMANCE_INTERFACE_CALLER_STATE_H_
#define DECONV_CONFORMANCE_INTERFACE_CALLER_STATE_H_

#include <cfenv>
#include <csignal>
#include <cstdint>
#include <string>

#include "conformance/interface/backend.h"

namespace conformance {

/// A copy of this state of the thread and the process, made by the constructor.
class CallerState {
 public:
  CallerState();

  /// Restores the state, so that no later call is blamed for a change. Returns the names of the changed parts, such as
  /// "the rounding mode, the signal mask", or an empty string.
  std::string Restore() const;

 private:
  std::uint32_t vector_control_ = 0;  ///< x86: MXCSR without its flags; aarch64: FPCR
  std::uint32_t x87_control_ = 0;
  bool x87_occupied_ = false;  ///< whether registers of the x87 stack were occupied
  std::fenv_t environment_{};
  sigset_t signals_{};
  std::string locale_;
};

/// Restores the state. Turns the answer of the call into kContractBroken if the call left the state changed.
void NoteChangedState(const CallerState& caller_state, RunAnswer& answer);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_INTERFACE_CALLER_STATE_H_
