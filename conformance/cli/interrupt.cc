// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Sets the signal handlers, which only store the signal's number.

#include "conformance/cli/interrupt.h"

#include <csignal>
#include <initializer_list>

namespace conformance {
namespace {

std::atomic<int> caught = 0;
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may take no lock");

}  // namespace

const std::atomic<int>& CatchInterrupts() {
  for (const int signal : {SIGINT, SIGTERM}) {
    struct sigaction action = {};
    action.sa_handler = [](int came) { caught = came; };
    action.sa_flags = SA_RESTART;
    sigaction(signal, &action, nullptr);
  }
  return caught;
}

}  // namespace conformance
