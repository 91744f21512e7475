// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// For tests that compare the bits of a backend with a plain loop: draws random cases. The cases are so small that a
// test runs hundreds of them for each dialect.

#ifndef DECONV_CONFORMANCE_TESTING_RANDOM_CASE_H_
#define DECONV_CONFORMANCE_TESTING_RANDOM_CASE_H_

#include <cstddef>
#include <string>

#include "conformance/case/corrupt_case.h"
#include "conformance/case/draw_case.h"
#include "oracle/resolve.h"

namespace conformance {

/// Draws a small case of the dialect. One case of eight is corrupted, that is, made invalid.
inline Case RandomCase(Random& random, oracle::Dialect dialect, std::size_t most_axes) {
  // With so few products of small integers, the sums are exact even in f16 and bf16.
  constexpr CaseLimits kSmall = {.outputs = 400, .products = 1000};
  const Case drawn = DrawCase(random, {.dialect = dialect, .most_axes = most_axes, .limits = kSmall});
  if (!random.OneIn(8)) return drawn;
  Case corrupted = drawn;
  CorruptCase(corrupted, random);
  const oracle::Resolution resolution = oracle::Resolve(corrupted.op, dialect);
  return resolution.geometry && Exceeds(*resolution.geometry, kSmall) ? drawn : corrupted;
}

/// The case line of an operator in its default dialect, for messages.
inline std::string LineOf(const oracle::Operator& op) {
  Case test_case;
  test_case.op = op;
  return ToLine(test_case);
}

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_TESTING_RANDOM_CASE_H_
