// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes an operator in another way: OpenVINO's operators as ConvTranspose, for the suites that read their cases from
// OpenVINO's files, and ConvolutionBackwardData in its default layout.

#ifndef DECONV_CONFORMANCE_SUITE_SUITE_TRANSLATION_H_
#define DECONV_CONFORMANCE_SUITE_SUITE_TRANSLATION_H_

#include <optional>

#include "oracle/operator.h"

namespace conformance {

/// Spells an operator as ONNX does. A group filter loses its first dimension to the attribute `group`, output_shape
/// becomes an attribute, and auto_pad gets ONNX's words. Pads beside an auto_pad that excludes them are left out.
/// Nothing if ONNX has no such element type, or if the operator is not one of OpenVINO's.
std::optional<oracle::Operator> AsConvTranspose(const oracle::Operator& op);

/// ConvolutionBackwardData with the same sizes in NXC and XIO, which its attributes then do not say. Nothing if it has
/// this layout already, if it is another operator, or if its ranks or formats are invalid.
std::optional<oracle::Operator> InDefaultLayout(const oracle::Operator& op);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_SUITE_SUITE_TRANSLATION_H_
