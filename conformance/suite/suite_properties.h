// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Generates random cases for laws (relations between the outputs of related operators). Each case is valid in its
// dialect by construction. Its sizes are those that its law needs: for example, a law about strides gets a stride above
// 1, because with stride 1 it says nothing.

#ifndef DECONV_CONFORMANCE_SUITE_SUITE_PROPERTIES_H_
#define DECONV_CONFORMANCE_SUITE_SUITE_PROPERTIES_H_

#include <cstdint>

#include "conformance/case/case.h"

namespace conformance {

/// Whether the law applies to operators of this kind.
bool Concerns(Law law, oracle::OperatorKind kind);

/// How large a generated case may be.
struct LawCaseSize {
  int size = 100;         ///< RapidCheck's size: larger values draw larger numbers
  double products = 1e5;  ///< most multiply-adds of one operator that the law runs
};

/// Generates a case of a law. The same arguments give the same case. `law` concerns `kind`, and `dialect` defines it.
Case GenerateLawCase(Law law, oracle::OperatorKind kind, oracle::Dialect dialect, std::uint64_t seed,
                     const LawCaseSize& size);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_SUITE_SUITE_PROPERTIES_H_
