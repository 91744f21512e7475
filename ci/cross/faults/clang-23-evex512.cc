// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes clang 22 and 23 refuse Highway 1.3 on x86: a function with a vector of AVX-512. Highway asks for the feature
// evex512, which these do not know any more. They then ignore the whole list of features. clang 21 compiles it. For
// that reason ci/cross/targets.toml compiles the newest Highway by clang 21. The program includes Highway, because a
// newer one that does not ask for the feature ends the fault.

// Highway compiles for the best target of the baseline, whatever the flags of the compiler say.
#define HWY_BASELINE_TARGETS HWY_AVX3
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
void StoreZeros(float* to) {
  const hwy::HWY_NAMESPACE::ScalableTag<float> d;
  Store(Zero(d), d, to);
}
HWY_AFTER_NAMESPACE();
