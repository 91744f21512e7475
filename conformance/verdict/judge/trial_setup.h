// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The setup of a case: its buffers in the memory that is shared with workers, and the oracle's expected outputs. Judges
// of several backends may share one setup. Then the operands are filled and the sums are computed only once.

#ifndef DECONV_CONFORMANCE_VERDICT_JUDGE_TRIAL_SETUP_H_
#define DECONV_CONFORMANCE_VERDICT_JUDGE_TRIAL_SETUP_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "conformance/backends/worker/arena.h"
#include "conformance/case/case.h"
#include "conformance/verdict/compare.h"
#include "oracle/resolve.h"

namespace conformance {

/// Bytes of a tensor of an invalid operator, from its dims; 0 if a dim is not positive or the tensor is too large.
std::uint64_t BytesOfInvalid(const oracle::TensorType& tensor);

/// Buffers and expected outputs of one case at a time.
class TrialSetup {
 public:
  Arena& arena() { return arena_; }

  /// The oracle's resolution of an operator. The last resolution is kept; the reference is valid until the next call.
  const oracle::Resolution& Resolve(const oracle::Operator& op, oracle::Dialect dialect);

  /// Fills data and filter as the case says. Buffers end at the end of their pages, and the canaries around them (bytes
  /// that must not change) are restored. If the setup already holds this case, its values are kept. `geometry` is the
  /// resolution of the case's operator. Returns an empty string, or the error.
  std::string SetUp(const Case& test_case, const oracle::Geometry& geometry);

  /// Makes buffers for an invalid operator: data and filter, if their dims give their sizes, and no output. Returns
  /// false if there is no memory.
  bool SetUpInvalid(const oracle::Operator& op);

  /// The expected outputs of the case that was set up last. That case must be valid.
  Expected& expected() { return *expected_; }
  /// Whether data and filter still have the hash that they had after set-up, so that no backend has changed them.
  bool InputsAreUntouched();

 private:
  bool IsSetUpFor(const Case& test_case, const oracle::Geometry& geometry);
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
  /// Arena::resizes() at set-up. A different number means that the buffers are no longer those of this case.
  std::uint64_t resizes_ = 0;
  std::size_t inputs_hash_ = 0;
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_VERDICT_JUDGE_TRIAL_SETUP_H_
