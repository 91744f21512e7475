// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Suite `attributes`: geometries thought out by hand first, then the covering arrays. All valid cases, and built so.

#include "conformance/suite/suite_attributes.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "conformance/suite/suite_generators.h"

namespace conformance {

void AttributePart::Add(Level least, const std::string& name, const std::string& reason, const oracle::Operator& op,
                        oracle::Dialect dialect, DataSet values) {
  if (!Includes(least)) return;
  const oracle::Operator spelled = Spelled(op, dialect);
  if (LeftOut(spelled, dialect)) return;
  SuiteCase& added = cases_.emplace_back();
  added.name = fmt::format("{}.{}.{}", name, ShortName(op.kind), DialectName(dialect));
  added.test_case.op = spelled;
  if (dialect != oracle::DialectsOf(op.kind).front()) added.test_case.dialect = dialect;
  added.test_case.values = values;
  added.reason = reason;
}

namespace {

/// What no auto_pad and no output shape decides is the same in all dialects of an operator. ConvolutionBackwardData
/// always has the shape of its output, and SAME_* of ConvTranspose means something else in each.
bool SameInAll(oracle::OperatorKind kind, const OperatorDraft& draft) {
  if (draft.HasOutput() || kind == oracle::OperatorKind::kConvolutionBackwardData) return false;
  const bool same = draft.auto_pad == AutoPad::kSameUpper || draft.auto_pad == AutoPad::kSameLower;
  return kind != oracle::OperatorKind::kConvTranspose || !same;
}

}  // namespace

void AttributePart::AddGeometry(Level least, const std::string& name, const std::string& reason,
                                const OperatorDraft& draft) {
  for (const oracle::OperatorKind kind :
       {oracle::OperatorKind::kConvolutionBackpropData, oracle::OperatorKind::kGroupConvolutionBackpropData,
        oracle::OperatorKind::kConvolutionBackwardData, oracle::OperatorKind::kConvTranspose}) {
    const bool plain = kind == oracle::OperatorKind::kConvolutionBackpropData;
    OperatorDraft own = As(kind, draft);
    if (kind == oracle::OperatorKind::kGroupConvolutionBackpropData && own.groups == 1) own.groups = 2;
    // Both of oneDNN's layouts, as the name happens to say: so a case stays the same at every level.
    if (kind == oracle::OperatorKind::kConvolutionBackwardData)
      own.nxc = own.xio = std::accumulate(name.begin(), name.end(), 0) % 2 == 0;
    const oracle::Operator op = Build(own);
    for (const oracle::Dialect dialect : oracle::DialectsOf(kind)) {
      if (dialect != oracle::DialectsOf(kind).front() && SameInAll(kind, draft)) continue;
      Add(plain ? least : std::max(least, Level::kGate), name, reason, op, dialect);
    }
  }
}

SuiteResult AttributeCases(Level level) {
  AttributePart part(level);
  AddSizeGeometries(part);
  AddOutputShapeGeometries(part);
  AddSpellings(part);
  AddChannelCases(part);
  AddWidthCases(part);
  AddValueCases(part);
  AddCoveringArrays(part);
  // Two parts may come upon the same case: the first one keeps it.
  std::vector<SuiteCase> cases;
  std::set<std::string> lines;
  for (SuiteCase& candidate : part.Take()) {
    if (lines.insert(ToLine(candidate.test_case)).second) cases.push_back(std::move(candidate));
  }
  return cases;
}

}  // namespace conformance
