// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The self-test of the installed library, which users call as deconv_selftest. It runs small operators of every type
// with every algorithm on every target (instruction set) of this machine. Their outputs must equal those of plain
// loops.
#ifndef DECONV_KERNEL_PLAN_SELFTEST_H_
#define DECONV_KERNEL_PLAN_SELFTEST_H_

#include "kernel/base/status.h"
#include "kernel/include/deconv/deconv.h"

namespace deconv {

// The functions under test. The test of the self-test replaces one of them by a faulty function.
struct SelftestCalls {
  decltype(&deconv_pack_filter) pack_filter = deconv_pack_filter;
  decltype(&deconv_run) run = deconv_run;
};

// Returns DECONV_SELFTEST_FAILED at the first wrong output or failed call. May throw std::bad_alloc.
Status Selftest(const SelftestCalls& calls);

}  // namespace deconv

#endif  // DECONV_KERNEL_PLAN_SELFTEST_H_
