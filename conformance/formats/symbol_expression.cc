// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Evaluates expressions of symbols, such as "floor(h/2 - 1/2) + 1", by recursive descent: one function for each level
// of precedence. Example with h = 64: h/2 is 32, minus 1/2 is 63/2, its floor is 31, and the value is 32. Expressions
// come from untrusted files, so their length and nesting are limited.

#include "conformance/formats/symbol_expression.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <numeric>
#include <system_error>
#include <utility>
#include <vector>

namespace conformance::formats {
namespace {

// Expressions of real models have at most some hundred bytes.
constexpr std::size_t kLongest = 4096;  // bytes
constexpr int kDeepest = 100;           // levels of parentheses and signs

// Thrown if an expression has no value; Evaluate catches it.
struct NoValue {};

/// A fraction in lowest terms, with a denominator above 0.
struct Fraction {
  std::int64_t top = 0;     ///< numerator
  std::int64_t bottom = 1;  ///< denominator

  std::int64_t Floor() const { return top / bottom - (top % bottom < 0 ? 1 : 0); }
};

/// Throws NoValue if the product does not fit 64 bits.
std::int64_t Times(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) throw NoValue{};
  return product;
}

/// The fraction top / bottom in lowest terms.
Fraction Reduced(std::int64_t top, std::int64_t bottom) {
  // -2^63 is refused, because its negation and its absolute value overflow.
  if (bottom == 0 || top == INT64_MIN || bottom == INT64_MIN) throw NoValue{};
  const std::int64_t common = std::gcd(top, bottom) * (bottom < 0 ? -1 : 1);
  return {top / common, bottom / common};
}

Fraction Plus(Fraction a, Fraction b) {
  std::int64_t top = 0;
  if (__builtin_add_overflow(Times(a.top, b.bottom), Times(b.top, a.bottom), &top)) throw NoValue{};
  return Reduced(top, Times(a.bottom, b.bottom));
}
Fraction Minus(Fraction a) { return Reduced(-a.top, a.bottom); }
Fraction Product(Fraction a, Fraction b) { return Reduced(Times(a.top, b.top), Times(a.bottom, b.bottom)); }
Fraction Quotient(Fraction a, Fraction b) { return Reduced(Times(a.top, b.bottom), Times(a.bottom, b.top)); }
Fraction FloorQuotient(Fraction a, Fraction b) { return {Quotient(a, b).Floor(), 1}; }
Fraction Remainder(Fraction a, Fraction b) { return Plus(a, Minus(Product(b, FloorQuotient(a, b)))); }
bool Less(Fraction a, Fraction b) { return Times(a.top, b.bottom) < Times(b.top, a.bottom); }

Fraction Power(Fraction base, Fraction exponent) {
  constexpr std::int64_t kLargestExponent = 64;  // 2^64 does not fit a size
  if (exponent.bottom != 1 || exponent.top < 0 || exponent.top > kLargestExponent) throw NoValue{};
  Fraction power{1, 1};
  for (std::int64_t i = 0; i < exponent.top; ++i) power = Product(power, base);
  return power;
}

bool IsNameByte(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.'; }

/// Parses a text from left to right. Sum() handles + and -, Term() * / // and %, Signed() signs and **.
class Parser {
 public:
  Parser(std::string_view text, const SymbolValues& symbols) : rest_(text), symbols_(symbols) {}

  Fraction ParseAll() {
    const Fraction value = Sum();
    SkipBlanks();
    if (!rest_.empty()) throw NoValue{};
    return value;
  }

 private:
  Fraction Sum() {
    Fraction value = Term();
    while (true) {
      if (TakeIfNext("+")) {
        value = Plus(value, Term());
      } else if (TakeIfNext("-")) {
        value = Plus(value, Minus(Term()));
      } else {
        return value;
      }
    }
  }

  Fraction Term() {
    Fraction value = Signed();
    while (true) {
      if (TakeIfNext("//")) {
        value = FloorQuotient(value, Signed());
      } else if (TakeIfNext("/")) {
        value = Quotient(value, Signed());
      } else if (TakeIfNext("%")) {
        value = Remainder(value, Signed());
      } else if (!StartsWith("**") && TakeIfNext("*")) {
        value = Product(value, Signed());
      } else {
        return value;
      }
    }
  }

  // Every level of nesting calls this function, so that it counts the depth.
  Fraction Signed() {
    if (++depth_ > kDeepest) throw NoValue{};
    Fraction value;
    if (TakeIfNext("-")) {
      value = Minus(Signed());
    } else if (TakeIfNext("+")) {
      value = Signed();
    } else {
      value = Primary();
      if (TakeIfNext("**")) value = Power(value, Signed());
    }
    --depth_;
    return value;
  }

  Fraction Primary() {
    if (TakeIfNext("(")) {
      const Fraction value = Sum();
      Expect(")");
      return value;
    }
    SkipBlanks();
    const std::string_view word =
        rest_.substr(0, static_cast<std::size_t>(std::ranges::find_if_not(rest_, IsNameByte) - rest_.begin()));
    if (word.empty()) throw NoValue{};
    rest_.remove_prefix(word.size());
    if (const auto symbol = symbols_.find(word); symbol != symbols_.end()) return {symbol->second, 1};
    if (std::isdigit(static_cast<unsigned char>(word.front())) != 0) return Number(word);
    Expect("(");
    return Function(word);
  }

  static Fraction Number(std::string_view word) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error != std::errc() || end != word.data() + word.size()) throw NoValue{};
    return {number, 1};
  }

  Fraction Function(std::string_view name) {
    std::vector<Fraction> arguments = {Sum()};
    while (TakeIfNext(",")) arguments.push_back(Sum());
    Expect(")");
    if (name == "Max" || name == "max") return *std::ranges::max_element(arguments, Less);
    if (name == "Min" || name == "min") return *std::ranges::min_element(arguments, Less);
    if (arguments.size() == 1) {
      const Fraction value = arguments[0];
      if (name == "floor") return {value.Floor(), 1};
      if (name == "ceiling" || name == "ceil") return Minus({Minus(value).Floor(), 1});
      if (name == "Abs" || name == "abs") return value.top < 0 ? Minus(value) : value;
    }
    if (arguments.size() == 2) {
      if (name == "FloorDiv") return FloorQuotient(arguments[0], arguments[1]);
      if (name == "Mod") return Remainder(arguments[0], arguments[1]);
    }
    throw NoValue{};
  }

  void SkipBlanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(' '), rest_.size())); }
  /// Whether the rest begins with the token, after blanks.
  bool StartsWith(std::string_view token) {
    SkipBlanks();
    return rest_.starts_with(token);
  }
  /// Removes the token from the rest if it is next. Returns whether it was.
  bool TakeIfNext(std::string_view token) {
    if (!StartsWith(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }
  void Expect(std::string_view token) {
    if (!TakeIfNext(token)) throw NoValue{};
  }

  std::string_view rest_;
  const SymbolValues& symbols_;
  int depth_ = 0;
};

}  // namespace

std::optional<std::int64_t> Evaluate(std::string_view expression, const SymbolValues& symbols) {
  if (const auto symbol = symbols.find(expression); symbol != symbols.end()) return symbol->second;
  if (expression.size() > kLongest) return std::nullopt;
  try {
    const Fraction value = Parser(expression, symbols).ParseAll();
    return value.bottom == 1 ? std::optional(value.top) : std::nullopt;
  } catch (const NoValue&) {
    return std::nullopt;
  }
}

bool IsSymbol(std::string_view text) {
  return !text.empty() && (std::isalpha(static_cast<unsigned char>(text.front())) != 0 || text.front() == '_') &&
         std::ranges::all_of(text, IsNameByte);
}

}  // namespace conformance::formats
