// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Evaluates expressions of symbols, in which exporters of ONNX models write sizes: "floor(h/2 - 1/2) + 1" or
// "(s53 - 1)//4". If the user gives the size of h, the import of models can then compute the sizes that follow.

#ifndef DECONV_CONFORMANCE_FORMATS_SYMBOL_EXPRESSION_H_
#define DECONV_CONFORMANCE_FORMATS_SYMBOL_EXPRESSION_H_

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace conformance::formats {

using SymbolValues = std::map<std::string, std::int64_t, std::less<>>;

/// Returns the value of an expression in Python's or SymPy's notation: + - * / // % **, floor, ceiling, Max, Min, Mod,
/// Abs and FloorDiv. Fractions are exact. A text that is a symbol by itself has the value of the symbol. Returns
/// nullopt for an unknown symbol, another notation, a value that is no 64-bit integer, and a text that is too long.
std::optional<std::int64_t> Evaluate(std::string_view expression, const SymbolValues& symbols);

/// Whether the text is a name and no expression: a letter or '_', then letters, digits, '_' and '.'.
bool IsSymbol(std::string_view text);

}  // namespace conformance::formats

#endif  // DECONV_CONFORMANCE_FORMATS_SYMBOL_EXPRESSION_H_
