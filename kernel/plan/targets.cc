// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds targets (instruction sets) by name, and implements deconv_target, which lists the targets of this machine. A
// set of targets is a mask of Highway's bits. The best target has the lowest bit.
#include "kernel/plan/targets.h"

#include <cstddef>
#include <cstdio>
#include <cstring>
#include <initializer_list>

#include "kernel/base/dispatch.h"
#include "kernel/include/deconv/deconv.h"

#include <hwy/targets.h>

namespace deconv {
namespace {

// Cut a set into its best target, the lowest bit that is set, and the others. Example: 0110 has the best target 0010
// and the others 0100.
constexpr int64_t Best(int64_t targets) { return targets & -targets; }
constexpr int64_t WithoutBest(int64_t targets) { return targets & (targets - 1); }

}  // namespace

Status FindTarget(const char* name, int64_t& target) {
  target = BestTarget();
  if (name == nullptr) return {};
  char names[256] = "";  // for the message: room for all names of a machine; a name that does not fit is left out
  size_t length = 0;
  for (int64_t rest = MachineTargets(); rest != 0; rest = WithoutBest(rest)) {
    const char* candidate = hwy::TargetName(Best(rest));
    if (std::strcmp(candidate, name) == 0) {
      target = Best(rest);
      return {};
    }
    const int written =
        std::snprintf(names + length, sizeof(names) - length, "%s%s", length == 0 ? "" : ", ", candidate);
    if (written > 0 && length + static_cast<size_t>(written) < sizeof(names)) length += static_cast<size_t>(written);
  }
  names[length] = '\0';
  return Fail(DECONV_INVALID_ARGUMENT, "target: is \"%.64s\", expected NULL or one that this machine runs: %s", name,
              names);
}

}  // namespace deconv

extern "C" {

const char* deconv_target(size_t index) {
  const int64_t all = deconv::MachineTargets();
  const int64_t preferred = deconv::PreferredTargets(all);  // without SVE of 128 bits, which NEON outdoes
  for (int64_t targets : {preferred, all & ~preferred}) {
    for (; targets != 0; targets = deconv::WithoutBest(targets)) {
      if (index-- == 0) return hwy::TargetName(deconv::Best(targets));
    }
  }
  return nullptr;
}

}  // extern "C"
