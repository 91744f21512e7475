// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Many small problems set up in one arena: where each has its buffers, what the oracle expects of it, and whether the
// surroundings are whole afterwards.

#ifndef DECONV_CONFORMANCE_EXHAUSTIVE_PROBLEMS_H_
#define DECONV_CONFORMANCE_EXHAUSTIVE_PROBLEMS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "conformance/case/sweep_cases.h"
#include "conformance/verdict/compare.h"
#include "conformance/worker/arena.h"
#include "conformance/worker/batch.h"
#include "oracle/resolve.h"

namespace conformance {

class Problems {
 public:
  struct Problem {
    oracle::Resolution resolution;
    std::optional<Expected> expected;  ///< if it resolves and has values
    BatchRecord record;
  };

  explicit Problems(Arena& arena) : arena_(arena) {}

  /// Cases [from, to) of the sweep. With `values` every tensor is filled, outputs are poisoned with a byte that no
  /// right output is made of, and canaries stand between. False if the memory cannot be had.
  bool SetUp(const SweepCases& cases, std::uint64_t from, std::uint64_t to, oracle::Dialect dialect, bool values,
             deconv_overflow_id overflow);

  /// After the run: the worker's records come in.
  void ReadRecords();
  std::span<Problem> all() { return problems_; }
  std::span<const std::byte> Output(std::size_t i);
  bool InputsAreUntouched();
  /// The problem whose output was overrun, if one was.
  std::optional<std::size_t> BrokenCanary();

 private:
  bool Lay(bool values);
  void Fill(const Case& one, Problem& problem, deconv_overflow_id overflow);
  std::span<std::byte> Part(std::size_t buffer, const BatchRecord& record);

  Arena& arena_;
  std::vector<Problem> problems_;
  std::vector<std::byte> data_;  ///< as set up
  std::vector<std::byte> filter_;
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_EXHAUSTIVE_PROBLEMS_H_
