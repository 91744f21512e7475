// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Lists the products of one output: the data element, the filter element, and their product.

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
  std::int64_t count = 0;         ///< of all
};

/// `coordinate` lies within the geometry's output, `filter_dims` are the operator's. The spans hold whole tensors.
TapsOfOutput TapsAt(const oracle::Geometry& geometry, const oracle::Dims& filter_dims, std::span<const std::byte> data,
                    std::span<const std::byte> filter, const oracle::Dims& coordinate, std::size_t most);

/// Why an output has no taps to be shown: there is no such output, or its tensors cannot be had.
struct NoTaps {
  std::string message;
};

/// The taps of an output of a case by a dialect as lines of text, each indented.
std::variant<std::string, NoTaps> TapsText(const Case& test_case, oracle::Dialect dialect,
                                           const oracle::Dims& coordinate);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_DIAGNOSIS_TAPS_H_
