// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Random choices that are the same on every machine. It uses no std:: distributions, because their results differ
// between libraries.

#ifndef DECONV_CONFORMANCE_CASE_RANDOM_H_
#define DECONV_CONFORMANCE_CASE_RANDOM_H_

#include <cstddef>
#include <cstdint>
#include <random>

namespace conformance {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  /// A number from 0 to count - 1; 0 if count is 0.
  std::size_t Below(std::size_t count) { return count == 0 ? 0 : engine_() % count; }
  /// A number from least to most, both included.
  std::int64_t Pick(std::int64_t least, std::int64_t most) {
    return least + static_cast<std::int64_t>(Below(static_cast<std::size_t>(most - least + 1)));
  }
  /// True once in `count` calls on average.
  bool OneIn(std::size_t count) { return Below(count) == 0; }
  /// Any element of the table.
  template <typename Table>
  auto Choose(const Table& table) {
    return table[Below(table.size())];
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_RANDOM_H_
