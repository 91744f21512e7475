// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The systematic part of suite `attributes`: covering arrays for each operator and dialect
// (conformance/suite/covering/). A covering array has every combination of classes of any two or three parameters.
// Level smoke covers all pairs, level gate all triples and all pairs of classes of two axes. Level full adds other
// values in the same classes, and every combination of the core's classes (auto_pad, output shape, output_padding,
// groups) with each other class.

#include <fmt/format.h>

#include "conformance/suite/covering/array.h"
#include "conformance/suite/covering/build.h"
#include "conformance/suite/suite_attributes.h"

namespace conformance {
namespace {

// Adds a case for each row. A row without an operator is skipped; covering_test and coverage_test would report it.

void AddArray(SuiteBuilder& suite, oracle::OperatorKind kind, oracle::Dialect dialect) {
  constexpr std::uint64_t full_variants = 4;
  const std::size_t pairs = PairsOf(kind, dialect).size();
  const std::vector<ClassRow>& rows = suite.Includes(Level::kGate) ? TriplesOf(kind, dialect) : PairsOf(kind, dialect);
  for (std::uint64_t variant = 0; variant < (suite.Includes(Level::kFull) ? full_variants : 1); ++variant) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const Level least = variant != 0 ? Level::kFull : (i < pairs ? Level::kSmoke : Level::kGate);
      const auto draft = DraftOf(rows[i], dialect, variant);
      if (!draft) continue;
      AddOperator(suite, least, fmt::format("covering.{:04}-{}", i, variant), "covering array: " + ToText(rows[i]),
                  Build(*draft), dialect, DataSetOf(rows[i], variant));
    }
  }
}

void AddAxes(SuiteBuilder& suite, oracle::OperatorKind kind, oracle::Dialect dialect) {
  const std::vector<AxesRow>& rows = AxesRowsOf(kind, dialect);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto draft = DraftOf(rows[i], dialect, i);
    if (!draft) continue;
    AddOperator(suite, Level::kGate, fmt::format("covering.axes.{:04}", i),
                "axes in different classes: " + ToText(rows[i]), Build(*draft), dialect, DataSetOf(rows[i].shared, i));
  }
}

void AddCore(SuiteBuilder& suite, oracle::OperatorKind kind, oracle::Dialect dialect) {
  const std::vector<ClassRow> rows = CoreRows(ModelOf(kind, dialect));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto draft = DraftOf(rows[i], dialect, i);
    if (!draft) continue;
    AddOperator(suite, Level::kFull, fmt::format("covering.core.{:04}", i),
                "core of the attributes: " + ToText(rows[i]), Build(*draft), dialect, DataSetOf(rows[i], i));
  }
}

}  // namespace

void AddCoveringArrays(SuiteBuilder& suite) {
  for (const oracle::OperatorKind kind : oracle::kOperatorKinds) {
    for (const oracle::Dialect dialect : oracle::DialectsOf(kind)) {
      AddArray(suite, kind, dialect);
      if (suite.Includes(Level::kGate)) AddAxes(suite, kind, dialect);
      if (suite.Includes(Level::kFull)) AddCore(suite, kind, dialect);
    }
  }
}

}  // namespace conformance
