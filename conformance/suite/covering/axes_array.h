// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Builds rows whose axes are in different classes. An implementation that takes an attribute of one axis for another is
// wrong only on such operators.

#ifndef DECONV_CONFORMANCE_SUITE_COVERING_AXES_ARRAY_H_
#define DECONV_CONFORMANCE_SUITE_COVERING_AXES_ARRAY_H_

#include <string>
#include <vector>

#include "conformance/suite/covering/model.h"

namespace conformance {

/// Classes that an operator's axes share, and classes of each axis.
struct AxesRow {
  ClassRow shared;             ///< every parameter but those of kAxisParameters
  std::vector<ClassRow> axes;  ///< kAxisParameters, in the classes of an operator that has this axis alone
};

/// "auto_pad=valid rank=4 ... output_shape=total-odd,total-zero pads=begin,end ...".
std::string ToText(const AxesRow& row);

/// Rows of two axes, then rows of three, made once a process. Together they hold
/// - every pair of classes of two axes, for each parameter of kAxisParameters: with an output shape and without, and
///   each of these with an auto_pad that uses pads and with one that ignores them;
/// - every pair of classes of totals, under each auto_pad; in two axes also with one group and with several.
const std::vector<AxesRow>& AxesRowsOf(oracle::OperatorKind kind, oracle::Dialect dialect);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_SUITE_COVERING_AXES_ARRAY_H_
