// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Where a run's cases lie among the classes of attributes, and where they fail: the counts of the heat maps.

#ifndef DECONV_CONFORMANCE_REPORT_COVERAGE_MAP_H_
#define DECONV_CONFORMANCE_REPORT_COVERAGE_MAP_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "conformance/covering/parameter.h"
#include "conformance/run/runner.h"
#include "oracle/dialect.h"
#include "oracle/operator.h"

namespace conformance {

struct CellCount {
  std::size_t judged = 0;
  std::size_t failed = 0;  ///< of them, whether somebody expected it or not
};

struct AttributeClass {
  Parameter parameter;
  std::uint8_t value = 0;

  std::string_view name() const { return ClassNames(parameter)[value]; }
};

/// Classes of attributes by suites, over all dialects.
struct SuiteMap {
  std::vector<std::string_view> suites;
  std::vector<AttributeClass> classes;
  std::vector<std::vector<CellCount>> cells;  ///< a row for each class, a cell for each suite
};

/// Pairs of classes, as one operator has them in one dialect: a row and a column for each class.
struct PairMap {
  oracle::OperatorKind kind;
  oracle::Dialect dialect;
  std::vector<AttributeClass> classes;
  std::vector<CellCount> cells;  ///< row after row; the column's class comes before the row's
  std::vector<bool> feasible;    ///< likewise

  std::size_t At(std::size_t row, std::size_t column) const { return row * classes.size() + column; }
  /// Classes of one attribute are no pair.
  bool IsPair(std::size_t row, std::size_t column) const {
    return column < row && classes[row].parameter != classes[column].parameter;
  }
};

struct CoverageMaps {
  SuiteMap suites;
  std::vector<PairMap> pairs;  ///< of each operator and dialect in the run's coverage, in its order
};

/// Of a run that has its coverage. Refused operators and those outside the model are in no class.
CoverageMaps CoverageMapsOf(const RunRecord& run);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_REPORT_COVERAGE_MAP_H_
