// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Generates cases for laws. By construction each case is valid in its dialect and can break its law.

#ifndef DECONV_CONFORMANCE_SUITE_SUITE_PROPERTIES_H_
#define DECONV_CONFORMANCE_SUITE_SUITE_PROPERTIES_H_

#include <cstdint>

#include "conformance/case/case.h"

namespace conformance {

/// Whether the law says anything about operators of this kind.
bool Concerns(Law law, oracle::OperatorKind kind);

/// How large a generated case may be.
struct LawCaseSize {
  int size = 100;         ///< RapidCheck's: up to it, numbers grow
  double products = 1e5;  ///< products that an operator run for the law may have
};

/// Generates a case of a law; the same arguments give the same case. `law` concerns `kind`, and `dialect` speaks it.
Case GenerateLawCase(Law law, oracle::OperatorKind kind, oracle::Dialect dialect, std::uint64_t seed,
                     const LawCaseSize& size);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_SUITE_SUITE_PROPERTIES_H_
