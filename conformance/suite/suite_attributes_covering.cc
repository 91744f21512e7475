// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The systematic part of suite `attributes`: covering arrays for each operator and dialect (reading of its attributes),
// built in conformance/suite/covering/. A class is a set of values that should behave alike, such as stride 1. A
// covering array is a few rows of classes that contain every combination of classes of any two or three parameters.
// Level smoke covers all pairs, level gate all triples and all pairs of classes of two axes. Level full adds other
// values in the same classes, and every combination of the core's classes (auto_pad, output shape, output_padding,
// groups) with each other class.

#include <fmt/format.h>

#include "conformance/suite/covering/array.h"
#include "conformance/suite/covering/build.h"
#include "conformance/suite/suite_attributes.h"

namespace conformance {
namespace {

// Each function adds a case for each row of an array. A row without an operator is skipped; covering_test and
// coverage_test would report it.

void AddPairsAndTriples(SuiteBuilder& suite, oracle::OperatorKind kind, oracle::Dialect dialect) {
  constexpr std::uint64_t full_variants = 4;  // each variant has other values in the same classes
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

void AddDifferingAxes(SuiteBuilder& suite, oracle::OperatorKind kind, oracle::Dialect dialect) {
  const std::vector<AxesRow>& rows = AxesRowsOf(kind, dialect);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto draft = DraftOf(rows[i], dialect, i);
    if (!draft) continue;
    AddOperator(suite, Level::kGate, fmt::format("covering.axes.{:04}", i),
                "axes in different classes: " + ToText(rows[i]), Build(*draft), dialect, DataSetOf(rows[i].shared, i));
  }
}

void AddCoreCombinations(SuiteBuilder& suite, oracle::OperatorKind kind, oracle::Dialect dialect) {
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
      AddPairsAndTriples(suite, kind, dialect);
      if (suite.Includes(Level::kGate)) AddDifferingAxes(suite, kind, dialect);
      if (suite.Includes(Level::kFull)) AddCoreCombinations(suite, kind, dialect);
    }
  }
}

}  // namespace conformance
