// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// A backend's output against the oracle's gather loop, output by output, slab by slab.

#ifndef DECONV_CONFORMANCE_COMPARE_H_
#define DECONV_CONFORMANCE_COMPARE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "conformance/backend.h"
#include "conformance/result.h"
#include "oracle/evaluate.h"

namespace conformance {

struct Comparison {
  std::int64_t outputs = 0;
  std::int64_t wrong_outputs = 0;
  std::int64_t first_wrong_index = -1;         ///< in the flattened output
  FailureClass failure = FailureClass::kNone;  ///< of the first wrong one
  std::optional<WrongOutput> first_wrong;
  double worst_ratio = 0;  ///< largest error over bound of the right outputs that have a bound

  bool ok() const { return wrong_outputs == 0; }
  /// "output [0,0,3]: expected 4, got 5 (2 taps, error 1, bound 0); 7 of 12 outputs wrong"
  std::string Text() const;
};

/// `output` holds OutputCount() elements; `declared` says which arithmetic they are judged by.
Comparison Compare(const oracle::Operands& operands, std::span<const std::byte> output, const Capabilities& declared);

/// One element's bits, in the low bytes.
std::uint64_t ElementBits(std::span<const std::byte> tensor, std::int64_t index, std::size_t element_bytes);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_COMPARE_H_
