// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The cases from which a condition is learned, with their features and verdicts, and the new cases made out of them.

#ifndef DECONV_CONFORMANCE_CONDITIONS_POOL_H_
#define DECONV_CONFORMANCE_CONDITIONS_POOL_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "conformance/conditions/find_condition.h"
#include "conformance/conditions/learn.h"
#include "conformance/conditions/vary.h"

namespace conformance {

struct PoolRow {
  Case test_case;
  oracle::Dialect dialect;
  std::optional<Sketch> sketch;
  FeatureRow features;
  bool fails = false;
  bool of_run = true;
  bool surprising = false;  ///< predicted wrongly by the condition of its time
};

/// Whether the dialect refuses the case's operator.
bool IsRefused(const KnownCase& one);

/// Whether plain values show the failures as well as others do: then others would only hide some.
bool PlainIsEnough(std::span<const KnownCase> known, bool invalid);

/// At most `most` rows: those that were predicted wrongly, and some of the others. As many failures as passes, if there
/// are enough of both.
std::vector<LabelledRow> RowsToLearnFrom(const std::deque<PoolRow>& rows, std::size_t most);

/// Known cases, and new cases around them.
class Pool {
 public:
  Pool(std::span<const KnownCase> known, bool invalid, bool plain, const Capabilities& declared, std::uint64_t seed);

  std::deque<PoolRow>& rows() { return rows_; }
  Varier& varier() { return varier_; }

  /// A new case, made from the row `from`. Nothing if it is none that can be asked about.
  std::optional<PoolRow> Make(std::size_t from, bool of_values);

  /// One of the rows from which a new case is made; any row if `among` is empty.
  std::size_t Parent(const std::vector<std::size_t>& among) {
    return among.empty() ? varier_.Below(rows_.size()) : among[varier_.Below(among.size())];
  }

 private:
  void AddSome(const std::vector<const KnownCase*>& from, std::size_t most);
  bool Fits(const PoolRow& row) const;

  bool invalid_;
  bool plain_;
  double most_products_;
  const Capabilities& declared_;
  Varier varier_;
  std::deque<PoolRow> rows_;
  std::set<std::string> lines_;
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CONDITIONS_POOL_H_
