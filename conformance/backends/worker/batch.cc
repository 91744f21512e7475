// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs each case of a batch in the worker, the process that runs a backend, and writes the answer into the record of
// the case. A batch is consecutive cases of a sweep, which is one line that stands for many small operators.

#include "conformance/backends/worker/batch.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "conformance/interface/caller_state.h"

namespace conformance {
namespace {

AnswerMessage Answer(deconv_answer answer, std::string_view text) {
  AnswerMessage message;
  message.answer = answer;
  const std::size_t size = std::min(text.size(), message.text.size() - 1);
  std::memcpy(message.text.data(), text.data(), size);
  return message;
}

/// Writes the output dims into a record.
void WriteDims(const oracle::Dims& dims, BatchRecord& record) {
  record.rank = static_cast<std::int32_t>(dims.size());
  std::copy_n(dims.begin(), std::min(dims.size(), BatchRecord::kMaxRank), record.dims.begin());
}

}  // namespace

AnswerMessage BatchServer::Serve(Backend& backend, GuardedView& view, const BatchMessage& message,
                                 std::string_view line) {
  const auto dialect = static_cast<oracle::Dialect>(message.dialect);
  if (!cases_ || line != line_ || dialect != dialect_) {
    const auto parsed = ParseSweep(line);
    if (const auto* error = std::get_if<std::string>(&parsed)) {
      return Answer(DECONV_ANSWER_ERROR, "worker: " + *error);
    }
    cases_.emplace(std::get<Sweep>(parsed), dialect);
    line_ = line;
    dialect_ = dialect;
  }
  if (!view.Map(kWorkerArena, {message.bytes, Placement::kAgainstEnd}, Inputs::kReadOnly)) {
    return Answer(DECONV_ANSWER_ERROR, "worker: cannot map the buffers");
  }
  const bool resolves = cases_->sweep().resolves();
  // Copy the records before the backend runs, because a faulty backend may overwrite them.
  std::vector<BatchRecord> records(message.to - message.from);
  std::byte* const table = view.buffer(kOutputBuffer).data();
  std::memcpy(records.data(), table, records.size() * sizeof(BatchRecord));

  Case current;
  for (std::size_t i = 0; i < records.size(); ++i) {
    cases_->Get(message.from + i, current);
    BatchRecord& record = records[i];
    if (record.answer == BatchRecord::kLeftOut) continue;
    const CallerState caller_state;
    if (resolves) {
      const ResolveAnswer answer = backend.Resolve(current.op, dialect);
      record.answer = answer.answer;
      WriteDims(answer.output_dims, record);
      record.tells_pads = answer.pads_begin ? 1 : 0;
      if (answer.pads_begin) {
        std::copy_n(answer.pads_begin->begin(), std::min(answer.pads_begin->size(), BatchRecord::kMaxRank),
                    record.pads_begin.begin());
      }
    } else {
      const auto part = [&](std::size_t buffer) {
        return view.buffer(buffer).subspan(record.offsets[buffer], record.bytes[buffer]);
      };
      RunBuffers buffers;
      if (record.bytes[kOutputBuffer] != 0) buffers = {part(kDataBuffer), part(kFilterBuffer), part(kOutputBuffer)};
      const RunAnswer answer = backend.Run(current.op, dialect, buffers);
      record.answer = answer.answer;
      WriteDims(answer.output_dims, record);
    }
    // The runner runs a failed case again alone. That run's verdict then names the changed state.
    if (!caller_state.Restore().empty()) record.answer = kContractBroken;
    std::memcpy(table + i * sizeof record, &record, sizeof record);
  }
  return Answer(DECONV_ANSWER_COMPUTED, "");
}

}  // namespace conformance
