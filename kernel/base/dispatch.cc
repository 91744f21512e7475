// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Asks Highway once which targets (instruction sets) this machine runs, and keeps the answer. Highway asks the CPU at
// each call, which takes long in a virtual machine.
#include "kernel/base/dispatch.h"

namespace deconv {

int64_t MachineTargets() {
  static const int64_t targets = hwy::SupportedTargets() & HWY_TARGETS;
  return targets != 0 ? targets : HWY_STATIC_TARGET;
}

int64_t BestTarget() {
  const int64_t preferred = PreferredTargets(MachineTargets());
  return preferred & -preferred;  // the lowest bit: Highway gives better targets lower bits
}

}  // namespace deconv
