// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The setup of a case: its buffers in the memory that workers share, and the outputs that the oracle expects. Several
// judges may share one setup, so that a case is filled and computed once for all of their backends.

#ifndef DECONV_CONFORMANCE_JUDGE_TRIAL_SETUP_H_
#define DECONV_CONFORMANCE_JUDGE_TRIAL_SETUP_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "conformance/case/case.h"
#include "conformance/verdict/compare.h"
#include "conformance/worker/arena.h"
#include "oracle/resolve.h"

namespace conformance {

/// What a tensor of an invalid operator takes: as its dims say, or nothing if they say something absurd.
std::uint64_t BytesOfInvalid(const oracle::TensorType& tensor);

class TrialSetup {
 public:
  Arena& arena() { return arena_; }

  /// What the oracle makes of an operator; the last answer is kept. Valid until the next call.
  const oracle::Resolution& Resolve(const oracle::Operator& op, oracle::Dialect dialect);

  /// Data and filter as the case says, against the end of their pages, canaries whole; what stands there already is
  /// kept. `geometry` is what the case's operator resolves to. Empty on success, else what went wrong.
  std::string SetUp(const Case& test_case, const oracle::Geometry& geometry);

  /// Buffers for an operator that is invalid: data and filter where their dims say how large they are, no output.
  bool SetUpInvalid(const oracle::Operator& op);

  /// Of the case that was set up last, which was valid.
  Expected& expected() { return *expected_; }
  bool InputsAreUntouched();

 private:
  bool Stands(const Case& test_case, const oracle::Geometry& geometry);
  std::size_t HashOfInputs();

  struct Resolved {
    oracle::Operator op;
    oracle::Dialect dialect;
    oracle::Resolution resolution;
  };

  Arena arena_;
  std::optional<Resolved> resolved_;
  std::optional<Case> case_;
  std::optional<Expected> expected_;
  std::uint64_t resizes_ = 0;  ///< of the arena, when the case was set up: whoever resizes it takes it away
  std::size_t inputs_hash_ = 0;
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_JUDGE_TRIAL_SETUP_H_
