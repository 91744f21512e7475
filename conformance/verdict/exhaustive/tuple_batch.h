// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// A batch of tuples (operators of a sweep) in one arena, which is memory shared with the worker process. It holds the
// buffers of each tuple and the oracle's expected answer. After the run it checks that the bytes around the buffers are
// unchanged.

#ifndef DECONV_CONFORMANCE_VERDICT_EXHAUSTIVE_TUPLE_BATCH_H_
#define DECONV_CONFORMANCE_VERDICT_EXHAUSTIVE_TUPLE_BATCH_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "conformance/backends/worker/arena.h"
#include "conformance/backends/worker/batch.h"
#include "conformance/case/sweep_cases.h"
#include "conformance/verdict/compare.h"
#include "oracle/resolve.h"

namespace conformance {

class TupleBatch {
 public:
  struct Tuple {
    oracle::Resolution resolution;
    std::optional<Expected> expected;  ///< set if the operator is valid and the sweep compares values
    bool left_out = false;             ///< the backend does not declare it
    BatchRecord record;
  };

  explicit TupleBatch(Arena& arena) : arena_(arena) {}

  /// Sets up the cases [from, to) of the sweep. With `values` it fills the tensors, and poisons outputs: it fills them
  /// with a byte of which no right output consists. Canaries (bytes that must not change) lie between tensors. Tuples
  /// that the backend does not declare are left out. Returns false if there is not enough memory.
  bool SetUp(const SweepCases& cases, std::uint64_t from, std::uint64_t to, oracle::Dialect dialect, bool values,
             const Capabilities& declared);

  /// During the run: whether the worker has reached more tuples since the last call.
  bool HasProgressed();
  /// Reads the worker's records, after the run.
  void ReadRecords();
  std::span<Tuple> all() { return tuples_; }
  std::span<const std::byte> Output(std::size_t i);
  bool InputsAreUntouched();
  /// The tuple whose output was overrun, if one was.
  std::optional<std::size_t> BrokenCanary();

 private:
  bool PlaceTensors(bool values);
  void Fill(const Case& one, Tuple& tuple, const Capabilities& declared);
  std::span<std::byte> BytesOfTensor(std::size_t buffer, const BatchRecord& record);

  Arena& arena_;
  std::vector<Tuple> tuples_;
  std::size_t reached_ = 0;      ///< number of tuples that were reached at the last call of HasProgressed()
  std::vector<std::byte> data_;  ///< both inputs as they were set up
  std::vector<std::byte> filter_;
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_VERDICT_EXHAUSTIVE_TUPLE_BATCH_H_
