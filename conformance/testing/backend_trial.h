// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// For tests: runs a backend on one operator in this process, and compares its output bit by bit with the oracle's
// gather loop, which computes each output as the sum of its products. The sums of the data are exact in every type, so
// no error bound is needed. The verdicts of a run come from conformance/verdict/judge/judge.h instead.

#ifndef DECONV_CONFORMANCE_TESTING_BACKEND_TRIAL_H_
#define DECONV_CONFORMANCE_TESTING_BACKEND_TRIAL_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/interface/backend.h"
#include "oracle/dialect.h"
#include "oracle/operator.h"
#include "oracle/resolve.h"

namespace conformance {

using Bytes = std::vector<std::byte>;

/// The bytes of the values, each rounded to the type.
Bytes ElementsOf(oracle::ElementType type, const std::vector<double>& values);
/// Integers from -2 to 2 without 0 (1 and 2 for unsigned types), which depend on the seed.
Bytes SmallIntegers(oracle::ElementType type, std::int64_t count, std::uint64_t seed);

/// Runs the backend twice. The output buffer is filled with another byte before each run, and known bytes (canaries)
/// lie around it. Returns an empty string if the answer is right, else the first mistake. A right answer has the bits
/// of the gather loop, or is a refusal if the oracle refuses. If the specification leaves the operator open, both runs
/// must compute or both refuse.
std::string Mistake(Backend& backend, const oracle::Operator& op, oracle::Dialect dialect, const Bytes& data,
                    const Bytes& filter);
/// The same for data and filter from SmallIntegers().
std::string Mistake(Backend& backend, const oracle::Operator& op, oracle::Dialect dialect);

/// Opens a backend. Prints the error and aborts if that is not possible.
std::unique_ptr<Backend> OpenOrAbort(std::string_view name);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_TESTING_BACKEND_TRIAL_H_
