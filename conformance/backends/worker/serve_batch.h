// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The worker's part in a sweep, one line that stands for many small operators. The worker runs all cases of a batch
// (batch.h) in one request, and writes the answer of each case into its record.

#ifndef DECONV_CONFORMANCE_BACKENDS_WORKER_SERVE_BATCH_H_
#define DECONV_CONFORMANCE_BACKENDS_WORKER_SERVE_BATCH_H_

#include <optional>
#include <string>
#include <string_view>

#include "conformance/backends/worker/arena.h"
#include "conformance/backends/worker/batch.h"
#include "conformance/case/sweep_cases.h"
#include "conformance/interface/backend.h"

namespace conformance {

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

#endif  // DECONV_CONFORMANCE_BACKENDS_WORKER_SERVE_BATCH_H_
