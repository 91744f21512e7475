// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds vacuous cases: a backend passes such a case by writing one constant to every output. So the case proves nothing
// (conformance/verdict/verdicts.md). Example: all data are 0, so every exact sum is 0. A backend that writes 0
// everywhere passes, although it computed nothing.

#ifndef DECONV_CONFORMANCE_VERDICT_CONSTANT_WRITERS_H_
#define DECONV_CONFORMANCE_VERDICT_CONSTANT_WRITERS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "conformance/verdict/bound.h"

namespace conformance {

/// Tries several constants on every output and drops each one that is wrong somewhere. The constants are those that
/// `OutputJudge` lists, such as 0 and NaN, and the right value of the first output with products.
template <class Sum, class OutputJudge>
class ConstantWriters {
 public:
  explicit ConstantWriters(const OutputJudge& judge) : judge_(judge), alive_(judge.Constants()) {}

  /// Tries the remaining constants on the output with this sum and flat index. Called once for each output, in order.
  void Observe(const Sum& sum, std::int64_t flat) {
    if (sum.taps != 0 && with_products_++ == 0) {
      // This is the first output with products. Only the value that is right here can be right everywhere.
      const std::uint64_t first = judge_.Expected(sum);
      const bool is_new = std::ranges::find(alive_, first) == alive_.end();
      if (is_new && all_gaps_kept_ &&
          std::ranges::all_of(gaps_, [&](const auto& gap) { return IsRight(gap.first, first, gap.second); })) {
        first_ = first;
      }
      gaps_.clear();
    }
    if (with_products_ == 0) {
      if (gaps_.size() < kMostGaps) {
        gaps_.emplace_back(sum, flat);
      } else {
        all_gaps_kept_ = false;
      }
    }
    std::erase_if(alive_, [&](std::uint64_t bits) { return !IsRight(sum, bits, flat); });
    if (first_ && !IsRight(sum, *first_, flat)) first_.reset();
  }
  /// The bits of a constant that was right at every output. Nothing if there is none, or if no output has products.
  std::optional<std::uint64_t> Survivor() const {
    if (with_products_ == 0) return std::nullopt;
    if (!alive_.empty()) return alive_.front();
    // If only one output has products, its value is no constant: the backend had to compute it.
    return with_products_ > 1 ? first_ : std::nullopt;
  }

 private:
  bool IsRight(const Sum& sum, std::uint64_t bits, std::int64_t flat) const {
    return judge_(sum, bits, flat).verdict == OutputVerdict::kRight;
  }

  const OutputJudge& judge_;
  std::vector<std::uint64_t> alive_;    // constants that were right at every output so far
  std::optional<std::uint64_t> first_;  // the right value of the first output with products, while it is right
  std::int64_t with_products_ = 0;      // outputs with products so far
  /// The gaps: outputs before the first output with products. A constant must be right there too. For direct sums only
  /// 0 is right there; transforms may allow other values. No case of a suite begins with as many as 1024 gaps; if one
  /// does, the right value of the first output with products is not tried.
  static constexpr std::size_t kMostGaps = 1024;
  std::vector<std::pair<Sum, std::int64_t>> gaps_;
  bool all_gaps_kept_ = true;
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_VERDICT_CONSTANT_WRITERS_H_
