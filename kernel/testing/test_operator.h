// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The operators of the kernel's tests. A TestOperator is a geometry (plain sizes, strides and pads), which PlanRequest
// writes as a deconv_operator of any kind and memory layout. Also lists the targets and algorithms with which tests
// run operators. This file knows nothing of the kernel but its public headers.
#ifndef DECONV_KERNEL_TESTING_TEST_OPERATOR_H_
#define DECONV_KERNEL_TESTING_TEST_OPERATOR_H_

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "deconv/cxx.h"

namespace deconv::testing {

using Dims = std::vector<int64_t>;
int64_t Product(const Dims& dims);

// An operator with explicit pads and without an output shape. (As ConvolutionBackwardData it has dst_shape.)
struct TestOperator {
  deconv_kind kind = DECONV_CONVOLUTION_BACKPROP_DATA;
  deconv_type type = DECONV_F32;
  bool channels_last = false;
  bool filter_xio = false;  // the filter is [spatial, I, O], for ConvolutionBackwardData only
  int64_t batch = 1;
  int64_t groups = 1;
  int64_t in_channels = 1;   // per group
  int64_t out_channels = 1;  // per group
  // One value for each spatial axis, outermost first. `data` and `kernel` are sizes.
  Dims data, kernel, strides, dilations, pads_begin, pads_end, output_padding;

  // The sizes of the output's spatial axes.
  Dims OutputSpatial() const;
  // Whether an axis has negative pads, the same on both sides. No attribute can express them, only an output shape of
  // OpenVINO. They shift the data towards the end: outputs before the first product are 0.
  bool Shifted() const;
  // Numbers of elements.
  int64_t DataCount() const;
  int64_t FilterCount() const;
  int64_t OutputCount() const;
  std::string ToString() const;
};

// Returns an operator with one input and one output channel, without dilations, pads and output padding.
TestOperator PlainOperator(deconv_type type, const Dims& data, const Dims& kernel, const Dims& strides);

// The targets (instruction sets) that this machine runs, best first.
std::vector<std::string> Targets();

// While an object lives, each new PlanRequest is for its target, unless ForceTarget names another one.
class ForcedTarget {
 public:
  explicit ForcedTarget(std::string name);
  ~ForcedTarget();
  ForcedTarget(const ForcedTarget&) = delete;
  ForcedTarget& operator=(const ForcedTarget&) = delete;

 private:
  std::string name_;
  const char* outer_;
};

// The arguments of deconv_plan_create for a test operator, with the storage that its lists point into.
class PlanRequest {
 public:
  explicit PlanRequest(const TestOperator& op);
  PlanRequest(const PlanRequest&) = delete;
  PlanRequest& operator=(const PlanRequest&) = delete;

  const deconv_operator& Op() const { return op_; }
  const deconv_options& Options() const { return options_; }
  void ForceAlgorithm(const char* name) { options_.algorithm = name; }
  void ForceTarget(const char* name) { options_.target = name; }
  void ForceCpu(const char* name) { options_.cpu = name; }
  void KeepSubnormals(bool keep) { options_.keep_subnormals = keep ? 1 : 0; }

 private:
  TestOperator test_operator_;
  Dims data_, filter_, dst_, output_shape_, shape_dims_;
  deconv_operator op_;
  deconv_options options_;
};

// Every algorithm of the kernel (kernel/README.md explains them). Only "direct", plain loops, fits every operator.
inline constexpr const char* kAlgorithmNames[] = {"channels", "phased", "rows", "col2im", "direct"};
// True if a plan with this algorithm can be created.
bool Fits(const TestOperator& op, const char* algorithm);

// Draws a valid operator of a rank with few products. It may have sizes of 1, gaps, overlaps, crops, and an output
// padding beyond the stride.
TestOperator RandomOperator(std::mt19937& random, int axes, deconv_type type);

}  // namespace deconv::testing

#endif  // DECONV_KERNEL_TESTING_TEST_OPERATOR_H_
