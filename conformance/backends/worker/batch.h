// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The request with which the runner asks a worker for a batch, many cases of a sweep at once, and the worker's part in
// it. A sweep is one line that stands for many small operators, numbered from 0. The output buffer begins with one
// record for each case. In each of the three buffers, the tensors of all cases follow one another.

#ifndef DECONV_CONFORMANCE_BACKENDS_WORKER_BATCH_H_
#define DECONV_CONFORMANCE_BACKENDS_WORKER_BATCH_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "conformance/backends/worker/arena.h"
#include "conformance/backends/worker/worker_process.h"
#include "conformance/case/sweep_cases.h"
#include "conformance/interface/backend.h"

namespace conformance {

/// The request to run a batch. The sweep's line follows in the same packet.
struct BatchMessage {
  RequestKind kind = RequestKind::kBatch;
  std::int32_t dialect = 0;
  std::array<std::uint64_t, kBufferCount> bytes = {};
  std::uint64_t from = 0;  ///< number of the batch's first case within the sweep
  std::uint64_t to = 0;    ///< number after that of the batch's last case
};

/// The record of one case: where its tensors lie, and the answer.
struct BatchRecord {
  /// The value of `answer` until the worker has run the case. A worker that died was at the first case with this value.
  static constexpr std::int32_t kNotReached = -1;
  /// Written by the runner: the backend does not declare the case, so the worker does not run it.
  static constexpr std::int32_t kLeftOut = -2;
  static constexpr std::size_t kMaxRank = 5;  ///< three spatial axes

  // Members that the runner writes, in bytes; all 0 in a case without buffers.
  std::array<std::uint32_t, kBufferCount> offsets;
  std::array<std::uint32_t, kBufferCount> bytes;
  // Members that the worker writes.
  std::int32_t answer;
  std::int32_t rank;
  std::int32_t tells_pads;  ///< `pads_begin` holds the backend's pads
  std::int32_t unused;
  std::array<std::int64_t, kMaxRank> dims;
  std::array<std::int64_t, kMaxRank> pads_begin;
};

/// Serves the batches of a worker, and keeps the parsed sweep from batch to batch.
class BatchServer {
 public:
  /// Runs the batch. `line` is the sweep's line. The returned answer only says whether the batch could be run.
  AnswerMessage Serve(Backend& backend, GuardedView& view, const BatchMessage& message, std::string_view line);

 private:
  std::string line_;
  oracle::Dialect dialect_ = oracle::Dialect::kOpenvinoSpec;
  std::optional<SweepCases> cases_;  ///< cases of line_ and dialect_: batches of one sweep follow one another
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_BACKENDS_WORKER_BATCH_H_
