// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// A batch of tuples, which are the small operators of a sweep, in one arena, which is memory shared with the worker
// process. It holds the buffers of each tuple and the oracle's expected answer. After the run it checks that the bytes
// around the buffers are unchanged.

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

/// The tuples that the worker runs in one call.
class TupleBatch {
 public:
  struct Tuple {
    oracle::Resolution resolution;
    std::optional<Expected> expected;  ///< set if the operator is valid and the sweep compares values
    bool left_out = false;             ///< the backend does not declare it
    BatchRecord record;                ///< where its tensors lie, and the worker's answer
  };

  explicit TupleBatch(Arena& arena) : arena_(arena) {}

  /// Sets up the cases [begin, end) of the sweep. `with_values`: fills the tensors, and poisons outputs, that is fills
  /// them with a byte of which no right output consists. Canaries (bytes that must not change) lie between tensors.
  /// Tuples that the backend does not declare are left out. Returns false if there is not enough memory.
  bool SetUp(const SweepCases& cases, std::uint64_t begin, std::uint64_t end, oracle::Dialect dialect, bool with_values,
             const Capabilities& declared);

  /// During the run: whether the worker has reached more tuples since the last call.
  bool HasProgressed();
  /// Reads the worker's records, after the run.
  void ReadRecords();
  std::span<Tuple> tuples() { return tuples_; }
  /// The output of tuple i of the batch.
  std::span<const std::byte> Output(std::size_t i);
  /// Whether the bytes of data and filter are still those of SetUp().
  bool InputsAreUntouched();
  /// The tuple whose output was overrun, if one was.
  std::optional<std::size_t> BrokenCanary();

 private:
  bool PlaceTensors(bool with_values);
  void Fill(const Case& tuple_case, Tuple& tuple, const Capabilities& declared);
  std::span<std::byte> BytesOfTensor(std::size_t buffer, const BatchRecord& record);

  Arena& arena_;
  std::vector<Tuple> tuples_;
  std::size_t reached_ = 0;      ///< number of tuples that were reached at the last call of HasProgressed()
  std::vector<std::byte> data_;  ///< both inputs as they were set up
  std::vector<std::byte> filter_;
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_VERDICT_EXHAUSTIVE_TUPLE_BATCH_H_
