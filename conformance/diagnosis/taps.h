// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Lists the products that one output sums: for each the data element, the filter element (tap) and their product.

#ifndef DECONV_CONFORMANCE_DIAGNOSIS_TAPS_H_
#define DECONV_CONFORMANCE_DIAGNOSIS_TAPS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "conformance/case/case.h"
#include "oracle/resolve.h"

namespace conformance {

struct TapOfOutput {
  oracle::Dims data;  ///< coordinate, in the operator's layout
  oracle::Dims filter;
  std::string data_value;
  std::string filter_value;
  std::string product;
};

struct TapsOfOutput {
  std::vector<TapOfOutput> taps;  ///< the first ones, in the order of channels, then of the filter's positions
  std::int64_t count = 0;         ///< number of all taps of the output
};

/// The taps of the output at `coordinate`, at most `most`. `coordinate` must lie within the geometry's output, and
/// `filter_dims` are the operator's. The spans hold whole tensors.
TapsOfOutput TapsAt(const oracle::Geometry& geometry, const oracle::Dims& filter_dims, std::span<const std::byte> data,
                    std::span<const std::byte> filter, const oracle::Dims& coordinate, std::size_t most);

/// Why the taps of an output cannot be shown: the output does not exist, or its tensors cannot be filled.
struct NoTaps {
  std::string message;
};

/// The taps of an output as lines of text, each indented. `dialect` resolves the operator.
std::variant<std::string, NoTaps> TapsText(const Case& test_case, oracle::Dialect dialect,
                                           const oracle::Dims& coordinate);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_DIAGNOSIS_TAPS_H_
