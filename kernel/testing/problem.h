// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// For the kernel's tests: a geometry with values, written as an operator of any kind and memory layout, and a naive
// scatter loop over logical coordinates to compare with. It knows nothing of the kernel but its public header.
#ifndef DECONV_KERNEL_TESTING_PROBLEM_H_
#define DECONV_KERNEL_TESTING_PROBLEM_H_

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "deconv/cxx.h"

namespace deconv::testing {

using Dims = std::vector<int64_t>;

struct Problem {
  deconv_kind kind = DECONV_CONVOLUTION_BACKPROP_DATA;
  deconv_type type = DECONV_F32;
  bool channels_last = false;
  bool filter_xio = false;  // ConvolutionBackwardData only
  int64_t batch = 1;
  int64_t groups = 1;
  int64_t in_channels = 1;  // per group
  int64_t out_channels = 1;
  Dims data, kernel, strides, dilations, pads_begin, pads_end, output_padding;

  // Explicit pads and no output shape (dst_shape for ConvolutionBackwardData), whatever the kind.
  Dims OutputSpatial() const;
  // Pads below 0, on both sides alike: not to be had as attributes, only through an output shape of OpenVINO's.
  bool Shifted() const;
  int64_t DataCount() const;
  int64_t FilterCount() const;
  int64_t OutputCount() const;
  std::string ToString() const;
};

// The operator, with the storage that its lists point into.
class ProblemOperator {
 public:
  explicit ProblemOperator(const Problem& problem);
  ProblemOperator(const ProblemOperator&) = delete;
  ProblemOperator& operator=(const ProblemOperator&) = delete;

  const deconv_operator& Op() const { return op_; }
  const deconv_options& Options() const { return options_; }
  void ForceAlgorithm(const char* name) { options_.algorithm = name; }
  void ForceTarget(const char* name) { options_.target = name; }

 private:
  Problem problem_;
  Dims data_, filter_, dst_, output_shape_, shape_dims_;
  deconv_operator op_;
  deconv_options options_;
};

// Every algorithm of the kernel, to be forced; those with vectors may not fit.
inline constexpr const char* kAlgorithmNames[] = {"channels", "phased", "rows", "col2im", "direct"};
bool Fits(const Problem& problem, const char* algorithm);

// Any valid geometry of that rank with few products: sizes from 1, gaps, overlaps, crops, output padding beyond the
// stride.
Problem RandomProblem(std::mt19937& random, int axes, deconv_type type);

// Logical tensors: data [N, G*Cin, X], filter [G, Cin, Cout, K], output [N, G*Cout, Y]. Doubles hold small integers
// exactly.
struct Values {
  std::vector<double> data;
  std::vector<double> filter;
};
Values RandomValues(std::mt19937& random, const Problem& problem, int magnitude);
std::vector<double> NaiveScatter(const Problem& problem, const Values& values);

// To and from the memory that the operator describes. `integers wrap` applies on encoding expectations too.
void EncodeData(const Problem& problem, const std::vector<double>& logical, std::span<std::byte> memory);
void EncodeFilter(const Problem& problem, const std::vector<double>& logical, std::span<std::byte> memory);
std::vector<double> DecodeOutput(const Problem& problem, std::span<const std::byte> memory);

// What `value` becomes in the type: wrapped modulo 2^n for integers, itself for floating types.
double Wrapped(deconv_type type, double value);
// Unit roundoff of the stored type where sums are rounded into it; 0 where small integers are exact.
double Roundoff(deconv_type type);

size_t BytesOf(deconv_type type);
inline constexpr deconv_type kAllTypes[] = {DECONV_F64, DECONV_F32, DECONV_F16, DECONV_BF16, DECONV_I8,  DECONV_I16,
                                            DECONV_I32, DECONV_I64, DECONV_U8,  DECONV_U16,  DECONV_U32, DECONV_U64};

}  // namespace deconv::testing

#endif  // DECONV_KERNEL_TESTING_PROBLEM_H_
