// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The cases (small operators) of the self-test of the installed library, and their expected outputs. Plain loops sum
// the expected outputs product by product, as deconv.h defines the operation.
#ifndef DECONV_KERNEL_PLAN_SELFTEST_CASE_H_
#define DECONV_KERNEL_PLAN_SELFTEST_CASE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernel/include/deconv/deconv.h"

namespace deconv {

inline constexpr size_t kMaxSelftestAxes = 4;  // the cases have ranks 3 to 6

// An operator: a GroupConvolutionBackpropData with explicit pads, by the formulas of OpenVINO's document. Each list has
// an entry for each of the `axes` axes, outermost first; the entries behind them are not used.
struct SelftestCase {
  const char* name;
  deconv_layout layout;
  bool has_infinite_weight;  // the first weight is Inf, which must not be multiplied by padding; for floating types
  int64_t batch, groups, in_channels, out_channels;  // channels per group
  size_t axes;
  std::array<int64_t, kMaxSelftestAxes> data, kernel, strides, dilations, pads_begin, pads_end, output_padding;

  // Elements of the output along axis `a`.
  int64_t OutputSize(size_t a) const {
    return strides[a] * (data[a] - 1) + dilations[a] * (kernel[a] - 1) + 1 + output_padding[a] - pads_begin[a] -
           pads_end[a];
  }
  // Elements of all axes together, for one sample and one channel.
  int64_t DataPositions() const { return Product(data); }
  int64_t Taps() const { return Product(kernel); }
  int64_t OutputPositions() const {
    int64_t product = 1;
    for (size_t a = 0; a < axes; ++a) product *= OutputSize(a);
    return product;
  }

 private:
  int64_t Product(const std::array<int64_t, kMaxSelftestAxes>& sizes) const {
    int64_t product = 1;
    for (size_t a = 0; a < axes; ++a) product *= sizes[a];
    return product;
  }
};

std::span<const SelftestCase> SelftestCases();

// The operands and the expected output: small integers, so that every sum is exact in every type.
struct SelftestTensors {
  std::vector<double> data;    // in the case's layout, like the output
  std::vector<double> filter;  // [group, input channel, output channel, tap]
  std::vector<double> output;
  std::vector<bool> has_product;  // for each output, whether any product is added to it
};

// Computes operands and output of a case for `batch` samples, whatever the batch of the case is.
SelftestTensors ScatterReference(const SelftestCase& op, int64_t batch);

}  // namespace deconv

#endif  // DECONV_KERNEL_PLAN_SELFTEST_CASE_H_
