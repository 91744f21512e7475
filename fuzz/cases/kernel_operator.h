// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Converts the operator of a case, which has types of the oracle (the reference implementation), to the struct of the
// kernel's C interface. Fuzz targets that call this interface directly use it.

#ifndef DECONV_FUZZ_CASES_KERNEL_OPERATOR_H_
#define DECONV_FUZZ_CASES_KERNEL_OPERATOR_H_

#include <deconv/deconv.h>

#include "conformance/case/case.h"

namespace fuzz {

/// Returns an operator that points into the case; the case must outlive it. A kind, dialect or type that the kernel
/// does not know would become 0. At present it knows all of them.
deconv_operator KernelOperator(const conformance::Case& test_case);

}  // namespace fuzz

#endif  // DECONV_FUZZ_CASES_KERNEL_OPERATOR_H_
