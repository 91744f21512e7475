// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Fuzz target of the evaluator of expressions such as "2*h+1", which are sizes in ONNX files. No expected values are
// known for random texts. Instead, two rules must hold for a text with a value v: the text in parentheses has the value
// v, and 2*(text) - (text) has the value v.

#include <cstddef>
#include <cstdint>
#include <string>

#include "conformance/formats/symbol_expression.h"
#include "fuzz/cases/require.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using conformance::formats::Evaluate;
  const std::string text(reinterpret_cast<const char*>(bytes), size);
  // The names that an expression may contain. The values include 0, a negative one, and the largest one.
  const conformance::formats::SymbolValues symbols = {{"n", 0}, {"h", 65}, {"s53", -64}, {"w.1", INT64_MAX}};
  const auto value = Evaluate(text, symbols);
  // With more text around it, an expression may become too long or too deeply nested for the evaluator. It then has no
  // value, and the rule is not checked. The text stands in parentheses, because a power binds stronger than a sign.
  if (!value || size > 1000) return 0;
  const auto inner = Evaluate("(" + text + ")", symbols);
  fuzz::Require(!inner || *inner == *value, "parentheses change the value");
  const auto difference = Evaluate("2*(" + text + ") - (" + text + ")", symbols);
  fuzz::Require(!difference || *difference == *value, "twice a value minus the value is another value");
  return 0;
}
