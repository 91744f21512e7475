// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs a hypothesis on a prepared case, in this process. A hypothesis is a planted fault: a backend with one known
// defect.

#include "conformance/diagnosis/hypothesis.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "conformance/backends/open_backend.h"

namespace conformance {

std::string Hypothesis::BackendName() const { return fmt::format("fault:{}", fault_->name); }

bool Hypothesis::NeedsWorker() const {
  const faults::Hooks& hooks = fault_->hooks;
  return hooks.before != nullptr || hooks.after != nullptr || hooks.refusing != nullptr || hooks.counts_calls;
}

bool Hypothesis::OnlyChangesValues() const {
  const faults::Hooks& hooks = fault_->hooks;
  return !NeedsWorker() && hooks.attributes == nullptr && hooks.accepts.empty() && hooks.refuses == nullptr &&
         hooks.shape == nullptr && hooks.dims == nullptr && !hooks.plans;
}

Call Hypothesis::Run(const PreparedCase& prepared, std::byte poison) {
  if (!backend_) backend_ = OpenFault(*fault_);
  Call call;
  call.poison = poison;
  RunBuffers buffers = {.data = prepared.data, .filter = prepared.filter, .output = {}};
  if (prepared.valid()) {
    const oracle::Geometry& geometry = prepared.geometry();
    call.output.assign(static_cast<std::size_t>(geometry.OutputCount()) * oracle::ElementBytes(geometry.type), poison);
    buffers.output = call.output;
  }
  call.answer = backend_->Run(prepared.test_case.op, prepared.dialect, buffers);
  return call;
}

Similarity ReproductionOf(const Trial& trial, Hypothesis& hypothesis, const Capabilities& declared) {
  // A hypothesis that runs in this process changes only the output and is deterministic. So it explains no crash, no
  // damaged memory and no varying result.
  const FailureClass failure = trial.behaviour.verdict.verdict.failure;
  const std::vector<Call>& calls = trial.behaviour.calls;
  if (calls.empty() || failure == FailureClass::kOutOfBounds || failure == FailureClass::kModifiedInput ||
      failure == FailureClass::kNondeterministic) {
    return Similarity::kNone;
  }
  Similarity similarity = Similarity::kSame;
  // The last call comes first: it is the call that failed, so that it rules out most hypotheses.
  for (std::size_t i = calls.size(); i-- > 0 && similarity != Similarity::kNone;) {
    const Call call = hypothesis.Run(*trial.prepared, calls[i].poison);
    similarity = std::min(similarity, SimilarityOf(trial, calls[i], call, declared));
  }
  return similarity;
}

}  // namespace conformance
