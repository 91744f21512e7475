// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// For tests: runs a backend on one operator in this process and compares it with the oracle's gather loop. The data
// have sums that are exact in every type, so that bits can be compared. conformance/verdict/judge/judge.h gives
// verdicts with error bounds.

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

/// Elements of a type: each value rounded to it.
Bytes ElementsOf(oracle::ElementType type, const std::vector<double>& values);
/// Non-zero integers of at most 2 in magnitude (1 and 2 for unsigned types), different from seed to seed.
Bytes SmallIntegers(oracle::ElementType type, std::int64_t count, std::uint64_t seed);

/// Runs the backend twice, on different poisons and with canaries around the output, and compares. Empty if the answer
/// is right: the gather loop's bits, or a refusal where the oracle refuses, or the same of the two in both runs where
/// the oracle leaves the operator open. Else what is wrong first.
std::string Mistake(Backend& backend, const oracle::Operator& op, oracle::Dialect dialect, const Bytes& data,
                    const Bytes& filter);
/// Runs the backend on SmallIntegers.
std::string Mistake(Backend& backend, const oracle::Operator& op, oracle::Dialect dialect);

/// Opens a backend that must open.
std::unique_ptr<Backend> MustOpen(std::string_view name);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_TESTING_BACKEND_TRIAL_H_
