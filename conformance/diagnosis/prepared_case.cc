// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Prepares a case for hypotheses (backends with a known defect): resolves it, fills its tensors, and computes the right
// outputs, unless the case is too large.

#include "conformance/diagnosis/prepared_case.h"

#include "conformance/case/given_values.h"
#include "conformance/verdict/judge/judge.h"
#include "conformance/verdict/judge/resource_estimate.h"
#include "conformance/verdict/judge/trial_setup.h"

namespace conformance {
std::unique_ptr<PreparedCase> PrepareCase(const Case& test_case, const Capabilities& declared) {
  if (test_case.sweep || test_case.law || test_case.repeats) return nullptr;
  const auto dialect = declared.JudgingDialect(test_case.op, test_case.EffectiveDialect());
  if (!dialect) return nullptr;
  auto prepared = std::make_unique<PreparedCase>();
  prepared->test_case = test_case;
  prepared->dialect = *dialect;
  prepared->resolution = oracle::Resolve(test_case.op, *dialect);
  if (!prepared->valid()) {
    if (prepared->resolution.refusal->undefined) return nullptr;
    prepared->data.resize(BytesOfInvalid(test_case.op.data));
    prepared->filter.resize(BytesOfInvalid(test_case.op.filter));
    return prepared;
  }
  const oracle::Geometry& geometry = prepared->geometry();
  if (!declared.UnsupportedReason(test_case.op, *dialect).empty()) return nullptr;
  if (ProductsOf(geometry) > kMostPreparedProducts || geometry.OutputCount() > kMostPreparedOutputs) return nullptr;
  if (PositionsOf(geometry) > kMostPreparedPositions) return nullptr;
  const std::size_t element = oracle::ElementBytes(geometry.type);
  prepared->data.resize(static_cast<std::size_t>(geometry.DataCount()) * element);
  prepared->filter.resize(static_cast<std::size_t>(geometry.FilterCount()) * element);
  if (!FillOperands(test_case, geometry, prepared->data, prepared->filter).empty()) return nullptr;
  prepared->expected = std::make_unique<Expected>(oracle::Operands(geometry, prepared->data, prepared->filter));
  return prepared;
}

}  // namespace conformance
