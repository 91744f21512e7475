// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Ctrl-C and SIGTERM end a run early. Reports then cover the cases that were judged before.

#ifndef DECONV_CONFORMANCE_CLI_INTERRUPT_H_
#define DECONV_CONFORMANCE_CLI_INTERRUPT_H_

#include <atomic>

namespace conformance {

/// Catches SIGINT and SIGTERM from now on, instead of letting them end the program. The result is 0, or the signal that
/// came.
const std::atomic<int>& CatchInterrupts();

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CLI_INTERRUPT_H_
