// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The messages of a batch between runner and worker: many cases of a sweep in one request. One record for each case
// stands at the beginning of the output buffer. Data, filters and outputs follow one another in the three buffers.

#ifndef DECONV_CONFORMANCE_BACKENDS_WORKER_BATCH_H_
#define DECONV_CONFORMANCE_BACKENDS_WORKER_BATCH_H_

#include <array>
#include <cstdint>

#include "conformance/backends/worker/worker_process.h"

namespace conformance {

/// The request to run a batch. The sweep's line follows in the same packet.
struct BatchMessage {
  RequestKind kind = RequestKind::kBatch;
  std::int32_t dialect = 0;
  std::array<std::uint64_t, kBufferCount> bytes = {};
  std::uint64_t from = 0;  ///< numbers of the sweep
  std::uint64_t to = 0;
};

struct BatchRecord {
  /// The answer until the worker has run the case. If a worker dies, it was at the first case with this answer.
  static constexpr std::int32_t kNotReached = -1;
  /// Written by the runner: the backend does not declare the case, so the worker does not run it.
  static constexpr std::int32_t kLeftOut = -2;
  static constexpr std::size_t kMaxRank = 5;  ///< three spatial axes

  // Members that the runner writes; all 0 in a case without buffers.
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

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_BACKENDS_WORKER_BATCH_H_
