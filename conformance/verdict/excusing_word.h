// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the declaration of arithmetic that would make a backend's wrong outputs right, such as "subnormals = flushed
// for f32". The failure message then tells the author of the adapter which word the backend's declaration may lack.
// Also finds out whether a backend keeps its sums in fewer bits than it declares.

#ifndef DECONV_CONFORMANCE_VERDICT_EXCUSING_WORD_H_
#define DECONV_CONFORMANCE_VERDICT_EXCUSING_WORD_H_

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "conformance/interface/backend.h"
#include "conformance/verdict/compare.h"
#include "conformance/verdict/result.h"
#include "oracle/element_type.h"

namespace conformance {

/// A declaration that allows more outputs than the backend's own. It differs in the arithmetic of one type.
struct LooserDeclaration {
  Capabilities declared;
  std::vector<ExcusingWord> changes;  ///< the words in which it differs from the backend's own
};

/// All looser declarations for sums of `type`, those with the fewest changes first.
std::vector<LooserDeclaration> LooserDeclarations(const Capabilities& declared, oracle::ElementType type);

/// `declared`, with this arithmetic of a floating type.
Capabilities WithArithmetic(Capabilities declared, oracle::ElementType type, const FloatArithmetic& arithmetic);

/// The words of the declaration with the fewest changes by which all outputs are right. Several words are one text:
/// {"sums in f32 and flushed subnormals", "types_in_f32 = f64, subnormals = flushed for f64"}. Absent if no declaration
/// helps, or if the output is too large to be judged many times.
std::optional<ExcusingWord> FindExcusingWord(Expected& expected, std::span<const std::byte> output,
                                             const Capabilities& declared);

// The terms of the data set `swamping` are large pairs that cancel, such as 2^12 and -2^12, and small numbers between
// them, which a narrow accumulator loses. If outputs of this data set are wrong by the declared accumulator, they are
// judged again with narrower accumulators.

/// Returns the widest accumulator narrower than the declared one for which every output is right; nullopt if there is
/// none. `expected` must have a floating type and the data set `swamping`. An output is skipped if the narrow
/// accumulator's bound is nearly as large as a large term, because even an output with a wrong index would be right
/// there.
std::optional<oracle::ElementType> NarrowerAccumulator(Expected& expected, std::span<const std::byte> output,
                                                       const Capabilities& declared);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_VERDICT_EXCUSING_WORD_H_
