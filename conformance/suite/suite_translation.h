// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Translates operators: OpenVINO's operators to ConvTranspose, and ConvolutionBackwardData to its default layout.
// Suites use this to test the numbers of one operator, such as a layer of a network, on another operator.

#ifndef DECONV_CONFORMANCE_SUITE_SUITE_TRANSLATION_H_
#define DECONV_CONFORMANCE_SUITE_SUITE_TRANSLATION_H_

#include <optional>

#include "oracle/operator.h"

namespace conformance {

/// Translates an operator of OpenVINO to ConvTranspose. The group dimension of a filter becomes the attribute `group`,
/// output_shape becomes an attribute, and auto_pad gets ONNX's spelling. Pads that the auto_pad forbids are left out.
/// nullopt if ONNX does not have the element type, or if the operator is not one of OpenVINO's.
std::optional<oracle::Operator> AsConvTranspose(const oracle::Operator& op);

/// Translates ConvolutionBackwardData to the default layouts NXC and XIO, with both format attributes absent. nullopt
/// if it has these layouts already, if it is another operator, or if its ranks or formats are invalid.
std::optional<oracle::Operator> InDefaultLayout(const oracle::Operator& op);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_SUITE_SUITE_TRANSLATION_H_
