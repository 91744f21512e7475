// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests that a case finds each planted fault of ConvolutionBackwardData's formats. The killer of a fault is a small
// case on which the faulty backend is wrong and the correct one is right.

#include <gtest/gtest.h>

#include "conformance/testing/fault_trial.h"

namespace conformance {
namespace {

// A killer without data_format and weights_format, so the defaults NXC and XIO apply.
Killer Of(Dims data, Dims filter, Dims dst_shape, const OperatorChange& change = nullptr) {
  return {.op = Onednn(std::move(data), std::move(filter), std::move(dst_shape), change),
          .dialect = Dialect::kOnednnSpec};
}

OperatorChange Formats(const char* data, const char* weights) {
  return [=](Operator& op) {
    if (data != nullptr) op.data_format = data;
    if (weights != nullptr) op.weights_format = weights;
  };
}

TEST(LayoutFaultsTest, AreKilled) {
  // Two channels and two positions: the shape is the same in every format.
  const Dims square = {1, 2, 2};
  const Dims pointwise_xio = {1, 2, 2};
  ExpectKilled(faults::LayoutFaults(),
               {{"data_format_default_ncx", Of(square, pointwise_xio, square)},
                {"weights_format_default_oix", Of(square, {2, 2, 2}, {1, 3, 2})},
                {"weights_format_default_of_data_format", Of(square, {2, 2, 2}, {1, 3, 2}, Formats("NXC", nullptr))},
                {"data_format_default_of_weights_format", Of(square, pointwise_xio, square, Formats(nullptr, "XIO"))},
                {"oix_beside_nxc_taken_for_xio", Of(square, {2, 2, 1}, square, Formats("NXC", "OIX"))},
                {"xio_beside_ncx_taken_for_oix", Of(square, {1, 2, 2}, square, Formats("NCX", "XIO"))},
                {"xio_groups_taken_for_oix", Of(square, {1, 2, 2}, {1, 2, 4}, [](Operator& op) { op.groups = 2; })},
                {"xio_axes_reversed_if_not_square", Of({1, 1, 1, 1}, {2, 3, 1, 1}, {1, 2, 3, 1})},
                {"nxc_depth_stride_of_height",
                 Of({1, 2, 1, 1, 1}, {1, 1, 1, 1, 1}, {1, 3, 1, 1, 1}, [](Operator& op) { op.strides = {2, 1, 1}; })},
                {"nxc_dilation_ignored_with_stride", Of({1, 2, 1, 1}, {2, 1, 1, 1}, {1, 5, 1, 1}, [](Operator& op) {
                   op.strides = {2, 1};
                   op.dilations = {2, 1};
                 })}});
}

}  // namespace
}  // namespace conformance
