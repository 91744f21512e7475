// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The parts of suite `attributes`. Each part has a file of its own, and suite_attributes.cc joins them.

#ifndef DECONV_CONFORMANCE_SUITE_SUITE_ATTRIBUTES_H_
#define DECONV_CONFORMANCE_SUITE_SUITE_ATTRIBUTES_H_

#include <string>

#include "conformance/case/operator_draft.h"
#include "conformance/suite/suite_builder.h"

namespace conformance {

/// One case if the level includes it, the dialect does not leave it out and no case has its line yet. The operator is
/// spelled for the dialect, which goes into the name ("NAME.cbd.openvino-spec").
void AddOperator(SuiteBuilder& suite, Level least, const std::string& name, const std::string& reason,
                 const oracle::Operator& op, oracle::Dialect dialect, DataSet values = DataSet::kIntegers);

/// A geometry that every operator with the draft's type has: ConvolutionBackpropData from `least` on, the three others
/// from level gate on, each in all its dialects. A geometry that neither auto_pad nor an output shape decides is the
/// same in all dialects of an operator, and then only the first dialect gets it. `tensorflow` gets it with an output
/// shape.
void AddGeometry(SuiteBuilder& suite, Level least, const std::string& name, const std::string& reason,
                 const OperatorDraft& draft);

void AddSizeGeometries(SuiteBuilder& suite);         ///< sizes, strides, dilations, pads, output_padding
void AddOutputShapeGeometries(SuiteBuilder& suite);  ///< output_shape and auto_pad, in every dialect
void AddSpellings(SuiteBuilder& suite);              ///< absent attributes, spellings of auto_pad, foreign attributes
void AddShapeInputs(SuiteBuilder& suite);            ///< types of the shape input, and its place beside the attribute
void AddOmittedPads(SuiteBuilder& suite);            ///< pads omitted beside output_shape or auto_pad
void AddLayouts(SuiteBuilder& suite);                ///< data_format and weights_format
void AddChannelCases(SuiteBuilder& suite);           ///< channels, groups, batch
void AddWidthCases(SuiteBuilder& suite);             ///< sizes around vector widths, and shapes that broke libraries
void AddSizeGrids(SuiteBuilder& suite);              ///< kernel by stride, output widths, counts of channels and groups
void AddValueCases(SuiteBuilder& suite);             ///< element types and data sets
void AddTroubleCases(SuiteBuilder& suite);           ///< each element type in each shape that broke a library
void AddRepeatedCases(SuiteBuilder& suite);          ///< many calls, and every number of threads
void AddCoveringArrays(SuiteBuilder& suite);         ///< every feasible combination of classes
/// Each row of the covering arrays that has another layout than NXC and XIO, once more in this layout. So most cases of
/// ConvolutionBackwardData have the layout that most models have.
void AddDefaultLayouts(SuiteBuilder& suite);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_SUITE_SUITE_ATTRIBUTES_H_
