// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The cases of the self-test of the installed library, and their expected outputs. Plain loops sum the expected outputs
// product by product, as deconv.h defines the operation.
#ifndef DECONV_KERNEL_PLAN_SELFTEST_CASE_H_
#define DECONV_KERNEL_PLAN_SELFTEST_CASE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernel/include/deconv/deconv.h"

namespace deconv {

inline constexpr size_t kSelftestAxes = 4;  // the cases have ranks 3 to 6

// A case: a GroupConvolutionBackpropData of the dialect openvino-spec with explicit pads. Each list has `axes` entries
// in use.
struct SelftestCase {
  const char* name;
  deconv_layout layout;
  bool infinite;  // one weight is Inf, which must not be multiplied by padding; only for floating types
  int64_t batch, groups, in_channels, out_channels;  // channels per group
  size_t axes;
  std::array<int64_t, kSelftestAxes> data, kernel, strides, dilations, pads_begin, pads_end, output_padding;

  int64_t Output(size_t a) const {
    return strides[a] * (data[a] - 1) + dilations[a] * (kernel[a] - 1) + 1 + output_padding[a] - pads_begin[a] -
           pads_end[a];
  }
  int64_t DataPositions() const { return Product(data); }
  int64_t Taps() const { return Product(kernel); }
  int64_t OutputPositions() const {
    int64_t product = 1;
    for (size_t a = 0; a < axes; ++a) product *= Output(a);
    return product;
  }

 private:
  int64_t Product(const std::array<int64_t, kSelftestAxes>& sizes) const {
    int64_t product = 1;
    for (size_t a = 0; a < axes; ++a) product *= sizes[a];
    return product;
  }
};

std::span<const SelftestCase> SelftestCases();

// The operands and the expected output: small integers, so that every sum is exact in every type.
struct SelftestTensors {
  std::vector<double> data;    // data in the order of memory
  std::vector<double> filter;  // [group, in, out, tap]
  std::vector<double> output;
  std::vector<bool> reached;  // whether any product is added to the output
};

// Computes operands and output of a case for `batch` samples, whatever the batch of the case is.
SelftestTensors ScatterReference(const SelftestCase& c, int64_t batch);

}  // namespace deconv

#endif  // DECONV_KERNEL_PLAN_SELFTEST_CASE_H_
