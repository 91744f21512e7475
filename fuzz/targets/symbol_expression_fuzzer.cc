// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Every text must have a value as a size of an ONNX file, or none. Parentheses around a text change nothing, and twice
// a value minus that value is the value.

#include <cstddef>
#include <cstdint>
#include <string>

#include "conformance/formats/symbol_expression.h"
#include "fuzz/cases/require.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using conformance::formats::Evaluate;
  const std::string text(reinterpret_cast<const char*>(bytes), size);
  const conformance::formats::SymbolValues symbols = {{"n", 0}, {"h", 65}, {"s53", -64}, {"w.1", INT64_MAX}};
  const auto value = Evaluate(text, symbols);
  // A text that is nearly too long or too deep for the reader is so with more around it. A power binds stronger than a
  // sign, but parentheses bind strongest.
  if (!value || size > 1000) return 0;
  const auto inner = Evaluate("(" + text + ")", symbols);
  fuzz::Require(!inner || *inner == *value, "parentheses change the value");
  const auto difference = Evaluate("2*(" + text + ") - (" + text + ")", symbols);
  fuzz::Require(!difference || *difference == *value, "twice a value minus the value is another value");
  return 0;
}
