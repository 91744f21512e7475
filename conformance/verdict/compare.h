// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Compares a backend's output tensor with the oracle's exact sums, output by output. The comparison says which outputs
// are wrong, how many, and how near the right ones are to the error bound.

#ifndef DECONV_CONFORMANCE_VERDICT_COMPARE_H_
#define DECONV_CONFORMANCE_VERDICT_COMPARE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "conformance/interface/backend.h"
#include "conformance/verdict/compared_outputs.h"
#include "conformance/verdict/element.h"
#include "conformance/verdict/expected.h"
#include "conformance/verdict/status.h"

namespace conformance {

struct Comparison : ComparedOutputs {
  std::int64_t first_wrong_index = -1;         ///< index in the flattened output
  FailureClass failure = FailureClass::kNone;  ///< failure of the first wrong output
  double largest_bound = 0;                    ///< the largest finite bound of an output
  /// Not empty if the comparison could not have failed: the one value that would have been right at every output,
  /// though there are outputs with products (conformance/verdict/verdicts.md).
  std::string vacuous;

  bool ok() const { return wrong == 0; }
  /// "output [0,0,3]: expected 4, got 5 (2 taps, error 1, bound 0); 7 of 12 outputs wrong"
  std::string Text() const;
  /// The text of the imprecise outputs, in the same form.
  std::string ImpreciseText() const;
};

/// Compares all outputs. `output` holds OutputCount() elements. `declared` gives the arithmetic that they are judged
/// by. Once `interrupt` is not 0, the comparison stops and its result is incomplete. `on_wrong` gets the flat index of
/// each wrong output, in increasing order.
Comparison Compare(Expected& expected, std::span<const std::byte> output, const Capabilities& declared,
                   const std::atomic<int>* interrupt = nullptr,
                   const std::function<void(std::int64_t)>& on_wrong = nullptr);

/// A fast comparison for many small tensors. An output with the bits of the expected value is right; only the other
/// outputs are judged and count towards the worst ratio. It does not measure the needed tolerance, and does not find
/// vacuous cases.
Comparison CompareBriefly(Expected& expected, std::span<const std::byte> output, const Capabilities& declared);

/// Whether every output that is wrong by `declared` is right by `looser`. False also if `looser` would allow any value
/// for one of these outputs, because that explains nothing.
bool Explains(Expected& expected, std::span<const std::byte> output, const Capabilities& declared,
              const Capabilities& looser);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_VERDICT_COMPARE_H_
