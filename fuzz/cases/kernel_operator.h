// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Converts a case's operator to the kernel's C interface, for the targets that call the kernel themselves.

#ifndef DECONV_FUZZ_CASES_KERNEL_OPERATOR_H_
#define DECONV_FUZZ_CASES_KERNEL_OPERATOR_H_

#include <deconv/deconv.h>

#include "conformance/case/case.h"

namespace fuzz {

/// Points into the case, which must outlive it. What the kernel has no word for (there is nothing) becomes 0.
deconv_operator KernelOperator(const conformance::Case& test_case);

}  // namespace fuzz

#endif  // DECONV_FUZZ_CASES_KERNEL_OPERATOR_H_
