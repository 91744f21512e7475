// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The parts of suite `attributes`, which tests that each attribute has its effect. Each Add function is one part;
// suite_attributes.cc calls them all.
//
// A draft (OperatorDraft) has the sizes, strides and pads of an operator without its kind. Build() writes it as an
// operator of any kind. A dialect is one reading of the attributes, such as that of a library.

#ifndef DECONV_CONFORMANCE_SUITE_SUITE_ATTRIBUTES_H_
#define DECONV_CONFORMANCE_SUITE_SUITE_ATTRIBUTES_H_

#include <string>

#include "conformance/case/operator_draft.h"
#include "conformance/suite/suite_generators.h"

namespace conformance {

/// Adds one case, with the attributes spelled as the dialect has them, and named "NAME.cbd.openvino-spec". It adds
/// nothing if the level is below `least`, if the dialect leaves the operator out (IsRefusedByOwnClause), or if a case
/// with the same line exists.
void AddOperator(SuiteBuilder& suite, Level least, const std::string& name, const std::string& reason,
                 const oracle::Operator& op, oracle::Dialect dialect, DataSet values = DataSet::kIntegers);

/// Adds the draft as each kind of operator that has its type: ConvolutionBackpropData from level `least` on, the others
/// from level gate on. It adds a case for each dialect if dialects may differ: beside an output shape, and for SAME
/// pads of ConvTranspose. Otherwise only the first dialect and `tensorflow`, with an output shape, get a case.
void AddGeometry(SuiteBuilder& suite, Level least, const std::string& name, const std::string& reason,
                 const OperatorDraft& draft);

void AddSizeGeometries(SuiteBuilder& suite);         ///< sizes, strides, dilations, pads, output_padding
void AddOutputShapeGeometries(SuiteBuilder& suite);  ///< output_shape and auto_pad, in every dialect
void AddSpellings(SuiteBuilder& suite);              ///< absent attributes, spellings of auto_pad, foreign attributes
void AddShapeInputs(SuiteBuilder& suite);            ///< types of the shape input; dst_shape as input and attribute
void AddOmittedPads(SuiteBuilder& suite);            ///< pads omitted beside output_shape or auto_pad
void AddLayouts(SuiteBuilder& suite);                ///< data_format and weights_format
void AddChannelCases(SuiteBuilder& suite);           ///< channels, groups, batch
void AddWidthCases(SuiteBuilder& suite);             ///< sizes around vector widths, and shapes that broke libraries
void AddSizeGrids(SuiteBuilder& suite);              ///< kernel by stride, output widths, counts of channels and groups
void AddValueCases(SuiteBuilder& suite);             ///< element types and data sets
void AddTroubleCases(SuiteBuilder& suite);           ///< each element type in each shape that broke a library
void AddRepeatedCases(SuiteBuilder& suite);          ///< many calls, and every number of threads
void AddCoveringArrays(SuiteBuilder& suite);         ///< every feasible combination of classes
/// Repeats each row of the covering arrays whose layout is not NXC and XIO in this layout. So most cases of
/// ConvolutionBackwardData have the layout of most models.
void AddDefaultLayouts(SuiteBuilder& suite);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_SUITE_SUITE_ATTRIBUTES_H_
