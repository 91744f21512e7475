// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The parts of suite `attributes`, each in a file of its own; suite_attributes.cc puts them together.

#ifndef DECONV_CONFORMANCE_SUITE_SUITE_ATTRIBUTES_H_
#define DECONV_CONFORMANCE_SUITE_SUITE_ATTRIBUTES_H_

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "conformance/case/operator_draft.h"
#include "conformance/suite/suite.h"

namespace conformance {

/// The cases of a part, and the level that is asked for.
class AttributePart {
 public:
  explicit AttributePart(Level level) : level_(level) {}

  bool Includes(Level least) const { return level_ >= least; }
  std::vector<SuiteCase> Take() { return std::move(cases_); }

  /// One case if the level includes it and the dialect does not leave it out; the operator is spelled for the dialect,
  /// which goes into the name ("NAME.cbd.openvino-spec").
  void Add(Level least, const std::string& name, const std::string& reason, const oracle::Operator& op,
           oracle::Dialect dialect, DataSet values = DataSet::kIntegers);

  /// A geometry that every operator has: ConvolutionBackpropData from `least` on, the three others from level gate on,
  /// each in all its dialects. What no auto_pad and no output shape decides is the same in all of an operator, and then
  /// only the first is asked.
  void AddGeometry(Level least, const std::string& name, const std::string& reason, const OperatorDraft& draft);

 private:
  Level level_;
  std::vector<SuiteCase> cases_;
};

void AddSizeGeometries(AttributePart& part);         ///< sizes, strides, dilations, pads, output_padding
void AddOutputShapeGeometries(AttributePart& part);  ///< output_shape and auto_pad, in every dialect
void AddSpellings(AttributePart& part);       ///< absent attributes, spellings of auto_pad, types of output_shape
void AddChannelCases(AttributePart& part);    ///< channels, groups, batch, layouts
void AddWidthCases(AttributePart& part);      ///< sizes around vector widths, and shapes that broke libraries
void AddValueCases(AttributePart& part);      ///< element types and data sets
void AddCoveringArrays(AttributePart& part);  ///< every feasible combination of classes

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_SUITE_SUITE_ATTRIBUTES_H_
