// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs an operator once and compares its outputs with sums that the test knows, such as those of NaiveScatter. Every
// buffer lies between guard pages (inaccessible memory), inputs are read-only, and the output is filled with a known
// byte before the run.
#ifndef DECONV_KERNEL_TESTING_RUN_ONCE_H_
#define DECONV_KERNEL_TESTING_RUN_ONCE_H_

#include <string>
#include <vector>

#include "deconv/deconv.h"
#include "kernel/testing/guarded.h"
#include "kernel/testing/test_operator.h"
#include "kernel/testing/test_values.h"

namespace deconv::testing {

// Returns a text about the first output that is wrong; empty if all outputs are right. Integer sums may exceed the
// type: its outputs are these sums modulo 2^n.
std::string Compare(const TestOperator& op, const std::vector<double>& sums, const std::vector<double>& outputs);

// Returns the greatest magnitude of random values for a type. Integer outputs are exact modulo 2^n for all values, and
// with 200 they often wrap. Sums of floating types are exact only for small values.
inline int Magnitude(deconv_type type) { return type >= DECONV_I8 ? 200 : 3; }

// Runs `algorithm`; if it is null, the one that the plan chooses. `sums` are the expected outputs, and `flush` says
// where the buffers lie. Returns a text about the failure; empty if all outputs are right.
std::string RunOnce(const TestOperator& op, const Values& values, const std::vector<double>& sums,
                    const char* algorithm, Flush flush, bool keep_subnormals = false);

}  // namespace deconv::testing

#endif  // DECONV_KERNEL_TESTING_RUN_ONCE_H_
