// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the declaration of arithmetic that would make wrong outputs right, such as "subnormals = flushed for f32". The
// failure message then tells the author of an adapter which word the declaration may lack.

#ifndef DECONV_CONFORMANCE_VERDICT_EXCUSING_WORD_H_
#define DECONV_CONFORMANCE_VERDICT_EXCUSING_WORD_H_

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "conformance/interface/backend.h"
#include "conformance/verdict/compare.h"
#include "oracle/element_type.h"

namespace conformance {

/// A declaration that allows more outputs than the backend's own. It differs in the arithmetic of one type.
struct LooserDeclaration {
  struct Change {
    std::string meaning;  ///< "flushed subnormals"
    std::string word;     ///< "subnormals = flushed"
  };
  Capabilities declared;
  std::vector<Change> changes;
};

/// All looser declarations for sums of `type`, those with the fewest changes first.
std::vector<LooserDeclaration> LooserDeclarations(const Capabilities& declared, oracle::ElementType type);

/// `declared`, with this arithmetic of a floating type.
Capabilities WithArithmetic(Capabilities declared, oracle::ElementType type, const FloatArithmetic& arithmetic);

/// "fits flushed subnormals: subnormals = flushed for f32": the declaration with the fewest changes by which all
/// outputs are right. Empty if there is none, or if the output is too large to be judged many times.
std::string ExcusingWord(Expected& expected, std::span<const std::byte> output, const Capabilities& declared);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_VERDICT_EXCUSING_WORD_H_
