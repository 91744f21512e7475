// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// HWY_DYNAMIC_DISPATCH for a target that the caller names. Highway's own override holds for the whole process. Here
// each plan has its own target, so that plans for different targets can be created at the same time.
#ifndef DECONV_KERNEL_BASE_DISPATCH_H_
#define DECONV_KERNEL_BASE_DISPATCH_H_

#include <cstddef>
#include <cstdint>

#include <hwy/targets.h>

namespace deconv {

// Place of a target in Highway's tables; 0 stands for the best that this machine has, which Highway remembers.
inline size_t DispatchIndex(int64_t target) {
  if (target != 0) {
    hwy::ChosenTarget named;
    named.Update(target);
    return named.GetIndex();
  }
  hwy::ChosenTarget& best = hwy::GetChosenTarget();
  if (!best.IsInitialized()) best.Update(hwy::SupportedTargets());
  return best.GetIndex();
}

}  // namespace deconv

// A function that HWY_EXPORT exported, of that target. Where one target is compiled there is no table to choose from.
#if HWY_IDE || (HWY_TARGETS & (HWY_TARGETS - 1)) == 0
#define DECONV_DISPATCH(function, target) (static_cast<void>(target), HWY_STATIC_DISPATCH(function))
#else
#define DECONV_DISPATCH(function, target) (*HWY_DISPATCH_TABLE(function)[deconv::DispatchIndex(target)])
#endif

#endif  // DECONV_KERNEL_BASE_DISPATCH_H_
