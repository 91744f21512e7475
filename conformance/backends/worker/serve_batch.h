// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The worker's part in a sweep: it runs all cases of a batch in one request and writes each answer into its record.

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
