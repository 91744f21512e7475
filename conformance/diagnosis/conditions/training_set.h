// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The training set: the cases from which a condition of failures is learned, with their features and verdicts. New
// cases are made by changing cases of the set.

#ifndef DECONV_CONFORMANCE_DIAGNOSIS_CONDITIONS_TRAINING_SET_H_
#define DECONV_CONFORMANCE_DIAGNOSIS_CONDITIONS_TRAINING_SET_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "conformance/case/field_changer.h"
#include "conformance/case/sketch.h"
#include "conformance/diagnosis/conditions/find_condition.h"
#include "conformance/diagnosis/conditions/learn.h"

namespace conformance {

/// The most products of a new case. If enough failures are smaller, the limit is lower (LimitOf).
inline constexpr double kMostProductsOfNewCase = 200'000;

/// A simple value that a field may have on all axes, such as "no pads". Random changes rarely make several axes simple
/// at once. So new cases are made with the simple value, and with another one.
struct SimpleField {
  const char* simple;  ///< the words for a case that has the simple value: "stride == 1 on every axis"
  const char* other;   ///< the words for all other cases: "stride >= 2 on an axis"
  bool (*has)(const Sketch&);
  /// Gives the field its simple value, or another one.
  void (*change)(Sketch&, bool to_simple, Random&);
};

std::span<const SimpleField> SimpleFields();

/// Those that leave the number of axes as it is.
std::span<const SimpleField> FieldsBesideAxes();

/// Changes the axis so that two of its numbers are equal, or its output is as large as without pads. A backend may be
/// right by chance for such an axis, although a condition is true of it. Random changes rarely give such numbers.
void ImposeCoincidence(SketchAxis& axis, Random& random);

/// Probes: copies of the case with one field changed each, always the same changes. The first ones change all fields.
/// `types`: the element types that a probe may have.
std::vector<Sketch> ProbesOf(const Sketch& parent, std::span<const oracle::ElementType> types);

struct TrainingRow {
  Case test_case;
  oracle::Dialect dialect;
  std::optional<Sketch> sketch;
  FeatureRow features;
  bool fails = false;
  bool of_run = true;       ///< the case is one of the run; false: the search made it
  bool pass_proves = true;  ///< false: too small to show a wrong index, so that a pass says nothing
  bool surprising = false;  ///< predicted wrongly by the condition that was current when the case ran
};

/// A known case whose operator the dialect computes.
struct ResolvedCase {
  const KnownCase* known = nullptr;
  oracle::Geometry geometry;
  double products = 0;
};

/// The known cases whose operators the dialect computes. Each operator is resolved once. Stops early if `late`
/// returns true.
std::vector<ResolvedCase> ResolvedCases(std::span<const KnownCase> known, const std::function<bool()>& late = nullptr);

/// Whether cases with plain values (small integers) show the failures as well as cases with other values. If so, new
/// cases get plain values, because other values may hide a failure.
bool PlainDataSuffice(std::span<const ResolvedCase> cases);

/// Whether a wrong index would change an output of this case with plain values. If not, a pass proves nothing.
/// `geometry`: nothing if the operator cannot be resolved.
bool ShowsIndices(const Case& test_case, const std::optional<oracle::Geometry>& geometry);

/// Chooses at most `most` rows: first the rows that a condition predicted wrongly, then some of the others. Half are
/// failures and half passes, if there are enough of both.
std::vector<LabelledRow> RowsToLearnFrom(const std::deque<TrainingRow>& rows, std::size_t most);

struct UntriedCase {
  std::string known;  ///< what all known cases have: "kernel == 1 on every axis"
  TrainingRow row;
};

struct UntriedNumbers {
  std::string text;      ///< " (not tried: 20 to 31)", or empty
  bool is_wide = false;  ///< a threshold is more than twice the nearest known number beyond it, or less than its half
};

struct TrainingOptions {
  bool plain = false;  ///< only cases with plain values
  const Capabilities& declared;
  std::uint64_t seed = 1;
};

/// Known cases, and new cases around them.
class TrainingSet {
 public:
  TrainingSet(std::span<const ResolvedCase> cases, const TrainingOptions& options);

  std::deque<TrainingRow>& rows() { return rows_; }
  FieldChanger& changer() { return changer_; }

  /// Excludes the cases with these lines from the new cases.
  void Exclude(const std::vector<std::string>& lines) { lines_.insert(lines.begin(), lines.end()); }

  /// Makes a new case from the row with index `from`. Nothing if the changed case cannot be run, or is known already.
  /// `of_values`: also compute the features that need the tensors' values.
  std::optional<TrainingRow> Make(std::size_t from, bool of_values);

  /// Makes a new case from the row by giving one field its simple value on all axes, or another value. Half of
  /// these cases get simple values of some other fields, too: a backend may be right only where several are simple.
  std::optional<TrainingRow> MakeWith(std::size_t from, const SimpleField& field, bool to_simple, bool of_values);

  /// Makes a new case from the row by imposing a coincidence on all axes, or on one of them. A third of those with an
  /// output shape get the natural size, which crops nothing.
  std::optional<TrainingRow> MakeWithCoincidence(std::size_t from, bool of_values);

  /// Makes a new case from the row by replacing a number of its sizes and attributes, wherever it occurs.
  std::optional<TrainingRow> MakeWithNumber(std::size_t from, std::int64_t number, std::int64_t replacement,
                                            bool of_values);

  /// Makes at most `most` new cases: the probes of the smallest failures for which the conjunction is true, one failure
  /// for each of the three smallest numbers of spatial axes, in this order.
  std::vector<TrainingRow> Probes(const Conjunction& conjunction, bool of_values, std::size_t most);

  /// Returns the numbers just beyond thresholds that fewer than two known cases have. The nearest known number may lie
  /// far away, because some numbers cannot be made, or fail in another way.
  UntriedNumbers NotTried(const Conjunction& conjunction) const;

  /// New cases for which the conjunction is true, and that differ from all known ones in a simple field: each has a
  /// simple value that none of them has, or lacks one that all of them have.
  /// `tries`: how many cases are made for each field, because most changes lead out of a narrow condition.
  std::vector<UntriedCase> Untried(const Conjunction& conjunction, bool of_values, std::size_t tries);

  /// Returns one of the rows `among`, from which a new case is to be made; any row if `among` is empty.
  std::size_t Parent(std::span<const std::size_t> among) {
    return among.empty() ? changer_.random().Below(rows_.size()) : among[changer_.random().Below(among.size())];
  }

 private:
  std::optional<TrainingRow> RowOf(Sketch sketch, bool of_values);
  std::optional<TrainingRow> NewRow(Sketch sketch, bool of_values, bool pass_must_prove);
  double LimitOf(std::span<const ResolvedCase> failures) const;
  void AddSome(std::span<const ResolvedCase> from, std::size_t most);
  bool Fits(const TrainingRow& row) const;

  bool plain_;
  double most_products_ = 0;
  const Capabilities& declared_;
  FieldChanger changer_;
  std::deque<TrainingRow> rows_;
  std::set<std::string> lines_;
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_DIAGNOSIS_CONDITIONS_TRAINING_SET_H_
