// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Builds rows of classes whose axes are in different classes, such as pads at the beginning of one axis and at the end
// of another. An implementation that reads an attribute of the wrong axis is wrong only on such operators.

#ifndef DECONV_CONFORMANCE_SUITE_COVERING_AXES_ARRAY_H_
#define DECONV_CONFORMANCE_SUITE_COVERING_AXES_ARRAY_H_

#include <string>
#include <vector>

#include "conformance/suite/covering/model.h"

namespace conformance {

/// The classes of an operator and of each of its axes.
struct AxesRow {
  ClassRow shared;             ///< every parameter but those of kAxisParameters
  std::vector<ClassRow> axes;  ///< kAxisParameters, in the classes of an operator that has this axis alone
};

/// "auto_pad=valid rank=4 ... output_shape=total-odd,total-zero pads=begin,end ...".
std::string ToText(const AxesRow& row);

/// Rows with two axes, then rows with three; computed once in a process. Together they contain:
///  - for each parameter of kAxisParameters every pair of classes of two axes, in four contexts: with and without an
///    output shape, each with an auto_pad that uses pads and with one that ignores them;
///  - every pair of classes of kOutputShape for each auto_pad; with two axes also for one group and for several.
const std::vector<AxesRow>& AxesRowsOf(oracle::OperatorKind kind, oracle::Dialect dialect);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_SUITE_COVERING_AXES_ARRAY_H_
