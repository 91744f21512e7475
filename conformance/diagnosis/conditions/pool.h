// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The cases from which a condition is learned, with their features and verdicts, and the new cases made out of them.

#ifndef DECONV_CONFORMANCE_DIAGNOSIS_CONDITIONS_POOL_H_
#define DECONV_CONFORMANCE_DIAGNOSIS_CONDITIONS_POOL_H_

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
#include "conformance/diagnosis/conditions/find_condition.h"
#include "conformance/diagnosis/conditions/learn.h"

namespace conformance {

/// New cases have at most so many products.
inline constexpr double kMostProductsOfPool = 200'000;

struct PoolRow {
  Case test_case;
  oracle::Dialect dialect;
  std::optional<Sketch> sketch;
  FeatureRow features;
  bool fails = false;
  bool of_run = true;
  bool surprising = false;  ///< predicted wrongly by the condition of its time
};

/// A known case whose operator the dialect computes.
struct ResolvedCase {
  const KnownCase* known = nullptr;
  oracle::Geometry geometry;
  double products = 0;
};

/// The known cases whose operators the dialect computes. Each operator is resolved once. `late` may end this early;
/// absent: never.
std::vector<ResolvedCase> ResolvedCases(std::span<const KnownCase> known, const std::function<bool()>& late = nullptr);

/// Whether plain values show the failures as well as others do: then others would only hide some.
bool PlainIsEnough(std::span<const ResolvedCase> cases);

/// At most `most` rows: those that were predicted wrongly, and some of the others. As many failures as passes, if there
/// are enough of both.
std::vector<LabelledRow> RowsToLearnFrom(const std::deque<PoolRow>& rows, std::size_t most);

struct PoolOptions {
  bool plain = false;  ///< only cases with plain values
  const Capabilities& declared;
  std::uint64_t seed = 1;
};

/// Known cases, and new cases around them.
class Pool {
 public:
  Pool(std::span<const ResolvedCase> cases, const PoolOptions& options);

  std::deque<PoolRow>& rows() { return rows_; }
  FieldChanger& changer() { return changer_; }

  /// These cases are not made.
  void LeaveOut(const std::vector<std::string>& lines) { lines_.insert(lines.begin(), lines.end()); }

  /// A new case, made from the row `from`. Nothing if it is none that can be asked about.
  std::optional<PoolRow> Make(std::size_t from, bool of_values);

  /// One of the rows from which a new case is made; any row if `among` is empty.
  std::size_t Parent(std::span<const std::size_t> among) {
    return among.empty() ? changer_.random().Below(rows_.size()) : among[changer_.random().Below(among.size())];
  }

 private:
  double LimitOf(std::span<const ResolvedCase> failures) const;
  void AddSome(std::span<const ResolvedCase> from, std::size_t most);
  bool Fits(const PoolRow& row) const;

  bool plain_;
  double most_products_ = 0;
  const Capabilities& declared_;
  FieldChanger changer_;
  std::deque<PoolRow> rows_;
  std::set<std::string> lines_;
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_DIAGNOSIS_CONDITIONS_POOL_H_
