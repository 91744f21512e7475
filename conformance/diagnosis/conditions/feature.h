// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The features of a case: numbers, yes-or-no properties and categories, of the whole case and of each spatial axis.
// Conditions are conjunctions of statements about features.
//
// A category, such as the operator, has the classes of the table of properties (conformance/case/property/property.h).
// Thresholds are learned for the other features, which are numbers and comparisons.

#ifndef DECONV_CONFORMANCE_DIAGNOSIS_CONDITIONS_FEATURE_H_
#define DECONV_CONFORMANCE_DIAGNOSIS_CONDITIONS_FEATURE_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/case/sketch.h"
#include "conformance/interface/backend.h"
#include "oracle/resolve.h"

namespace conformance {

/// A feature that a case does not have; no statement about it is true.
inline constexpr std::int64_t kNoValue = std::numeric_limits<std::int64_t>::min();

enum class FeatureKind {
  kNumber,
  kSize,      ///< a number of which remainders matter too
  kFlag,      ///< 0 or 1
  kCategory,  ///< equal or not
};

struct Feature {
  std::string name;  ///< "batch"; of a flag a whole statement: "kernel < stride"
  FeatureKind kind = FeatureKind::kNumber;
  std::string (*word)(std::int64_t) = nullptr;  ///< name of a value of a category
  double cost = 1;                              ///< of two features that explain equally much, the cheaper one is used
  bool few = false;                             ///< of an axis: only three aggregates over all axes become features
  bool of_values = false;                       ///< needs the tensors and their sums
};

struct FeatureRow {
  std::vector<std::int64_t> whole;              ///< of each feature of Features().whole
  std::vector<std::vector<std::int64_t>> axes;  ///< of each axis, each feature of Features().axis
  std::optional<oracle::Geometry> geometry;     ///< absent if the dialect refuses the operator
  bool has_values = false;                      ///< features of values have been computed
  double products = 0;

  bool valid() const { return geometry.has_value(); }
};

struct FeatureTable {
  std::vector<Feature> whole;
  std::vector<Feature> axis;
};

const FeatureTable& Features();

/// The features of a case, without those of its values. `dialect`: the dialect that judges the case. `declared`: what
/// the backend declares. Its declarations decide the numbers of threads, and whether the features are those of the
/// operator or of its resolved geometry. The row of an operator that the dialect refuses is invalid.
FeatureRow FeaturesOf(const Case& test_case, oracle::Dialect dialect, const Capabilities* declared = nullptr);

/// Adds the features of values (of the tensors and their sums) to the case's row. Nothing changes for an operator that
/// is not computed, or is large.
void AddValueFeatures(const Case& test_case, FeatureRow& row);

/// The names of the features of values, in order. FeaturesOf leaves these features empty.
std::span<const Feature> ValueFeatures();

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_DIAGNOSIS_CONDITIONS_FEATURE_H_
