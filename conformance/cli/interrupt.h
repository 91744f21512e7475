// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Lets Ctrl-C and SIGTERM end a run early. The reports then cover the cases that were judged before.

#ifndef DECONV_CONFORMANCE_CLI_INTERRUPT_H_
#define DECONV_CONFORMANCE_CLI_INTERRUPT_H_

#include <atomic>

namespace conformance {

/// From now on, SIGINT and SIGTERM do not end the program. The result refers to 0, or to the signal that has arrived.
const std::atomic<int>& CatchInterrupts();

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CLI_INTERRUPT_H_
