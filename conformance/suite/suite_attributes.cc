// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Suite `attributes`, which tests that each attribute has its effect: geometries chosen by hand, then the covering
// arrays (few cases that contain every combination of classes, such as "no pads" with "stride 1"). All cases are valid
// by construction.

#include "conformance/suite/suite_attributes.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "conformance/suite/suite_generators.h"

namespace conformance {

void AddOperator(SuiteBuilder& suite, Level least, const std::string& name, const std::string& reason,
                 const oracle::Operator& op, oracle::Dialect dialect, DataSet values) {
  if (!suite.Includes(least)) return;
  Case new_case;
  new_case.op = Spelled(op, dialect);
  if (IsRefusedByOwnClause(new_case.op, dialect)) return;
  if (dialect != oracle::DialectsOf(op.kind).front()) new_case.dialect = dialect;
  new_case.values = values;
  // Two parts of the suite may generate the same case. Only the first one is added.
  suite.AddUnlessKnown(fmt::format("{}.{}.{}", name, ShortName(op.kind), DialectName(dialect)), reason,
                       std::move(new_case));
}

namespace {

/// Whether all dialects of the operator resolve the draft to the same geometry. They may differ beside an output shape,
/// which ConvolutionBackwardData always has, and for SAME pads of ConvTranspose.
bool AllDialectsAgree(oracle::OperatorKind kind, const OperatorDraft& draft) {
  if (draft.HasOutput() || kind == oracle::OperatorKind::kConvolutionBackwardData) return false;
  const bool same_pads = draft.auto_pad == AutoPad::kSameUpper || draft.auto_pad == AutoPad::kSameLower;
  return kind != oracle::OperatorKind::kConvTranspose || !same_pads;
}

}  // namespace

void AddGeometry(SuiteBuilder& suite, Level least, const std::string& name, const std::string& reason,
                 const OperatorDraft& draft) {
  for (const oracle::OperatorKind kind : oracle::kOperatorKinds) {
    const bool plain = kind == oracle::OperatorKind::kConvolutionBackpropData;
    OperatorDraft own = As(kind, draft);
    if (own.type != draft.type) continue;  // the operator does not have the type
    if (kind == oracle::OperatorKind::kGroupConvolutionBackpropData && own.groups == 1) own.groups = 2;
    const oracle::Operator op = Build(own);
    for (const oracle::Dialect dialect : oracle::DialectsOf(kind)) {
      // In TensorFlow's dialect the geometry is written with an output shape, so that it gets a case of its own.
      const bool always_added = dialect == oracle::DialectsOf(kind).front() || dialect == oracle::Dialect::kTensorflow;
      if (!always_added && AllDialectsAgree(kind, draft)) continue;
      AddOperator(suite, plain ? least : std::max(least, Level::kGate), name, reason, op, dialect);
    }
  }
}

SuiteResult AttributeCases(Level level) {
  SuiteBuilder suite(level);
  AddSizeGeometries(suite);
  AddOutputShapeGeometries(suite);
  AddSpellings(suite);
  AddShapeInputs(suite);
  AddOmittedPads(suite);
  AddLayouts(suite);
  AddChannelCases(suite);
  AddWidthCases(suite);
  AddSizeGrids(suite);
  AddValueCases(suite);
  AddTroubleCases(suite);
  AddRepeatedCases(suite);
  AddCoveringArrays(suite);
  AddDefaultLayouts(suite);
  return suite.Build();
}

}  // namespace conformance
