// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Parses a call in Python, such as "ConvTranspose2d(4, 3, kernel_size=(3, 3))". An argument ends at a comma or closing
// parenthesis outside of inner brackets and strings, so expressions are skipped without being parsed.

#include "conformance/formats/lines/python_call.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/formats/lines/line_layer.h"
#include "conformance/formats/load_file.h"

namespace conformance::formats {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";
// The most numbers of a list in a case line.
constexpr std::size_t kMostNumbers = 64;

bool IsNameByte(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// The text without blanks at its ends.
std::string_view Trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

/// Returns the position, from `begin` on, of the first character of `ends` outside of strings and inner brackets.
/// Throws LineError if there is none.
std::size_t EndOf(std::string_view text, std::size_t begin, std::string_view ends) {
  std::size_t depth = 0;
  char quote = 0;
  for (std::size_t i = begin; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (depth == 0 && ends.find(c) != std::string_view::npos) {
      return i;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '(' || c == '[') {
      ++depth;
    } else if ((c == ')' || c == ']') && depth-- == 0) {
      break;
    }
  }
  throw LineError{"the call does not end: expected ')'"};
}

/// The integers of a number or of a list with inner lists; nullopt for other expressions.
std::optional<oracle::Dims> NumbersOf(std::string_view text) {
  oracle::Dims numbers;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (kBlanks.find(c) != std::string_view::npos || std::string_view("()[],").find(c) != std::string_view::npos) {
      ++i;
      continue;
    }
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data() + i, text.data() + text.size(), number);
    if (error != std::errc() || numbers.size() == kMostNumbers || number > kLargestSize || number < -kLargestSize) {
      return std::nullopt;
    }
    i = static_cast<std::size_t>(end - text.data());
    if (i < text.size() && (IsNameByte(text[i]) || text[i] == '.')) return std::nullopt;
    numbers.push_back(number);
  }
  return numbers;
}

/// Evaluates the text of an argument, if it is a string, an integer or a list.
PythonValue ValueOf(std::string_view source) {
  PythonValue value{source, {}, false, {}};
  if (source.empty()) return value;
  const char first = source.front();
  if ((first == '"' || first == '\'') && source.size() >= 2 && source.back() == first) {
    value.text = source.substr(1, source.size() - 2);
    return value;
  }
  value.is_list = first == '(' || first == '[';
  value.numbers = NumbersOf(source);
  return value;
}

/// The message for an argument that has another kind of value.
std::string ExpectedText(std::string_view parameter, const PythonValue& value, std::string_view what) {
  return fmt::format("argument {}: found '{}', expected {}", parameter, OneLine(value.source), what);
}

/// Finds a call of one of the names. Returns the name and the position after its parenthesis.
std::pair<std::string_view, std::size_t> FindCall(std::string_view line, std::span<const std::string_view> names) {
  for (std::size_t open = line.find('('); open != std::string_view::npos; open = line.find('(', open + 1)) {
    std::size_t begin = open;
    while (begin > 0 && IsNameByte(line[begin - 1])) --begin;
    const std::string_view name = line.substr(begin, open - begin);
    if (std::ranges::find(names, name) != names.end()) return {name, open + 1};
  }
  throw LineError{fmt::format("expected a call of {}", fmt::join(names, ", "))};
}

/// Parses a call that makes a tensor, such as torch.randn(1, 4, 8, 8); nullopt for other expressions.
std::optional<PythonCall> TensorMakerOf(std::string_view source) {
  static constexpr std::array<std::string_view, 9> kTensorMakers = {"randn", "rand",   "zeros",   "ones",  "empty",
                                                                    "full",  "normal", "uniform", "random"};
  try {
    // The call must be the whole expression: a method after it, such as permute, may change the dims.
    const std::size_t open = source.find('(');
    if (open == std::string_view::npos || EndOf(source, open + 1, ")") + 1 != source.size()) return std::nullopt;
    PythonCall call(source, kTensorMakers);
    if (call.name().data() + call.name().size() != source.data() + open) return std::nullopt;
    return call;
  } catch (const LineError&) {
    return std::nullopt;
  }
}

}  // namespace

const oracle::Dims* GivenDims(const ImportOptions& options, std::string_view name) {
  const auto hint = std::ranges::find(options.shapes, name, &ShapeHint::name);
  return hint == options.shapes.end() ? nullptr : &hint->dims;
}

oracle::Dims WithCount(oracle::Dims dims, std::size_t count, std::string_view role) {
  if (dims.size() == count) return dims;
  throw LineError{fmt::format("{} [{}]: expected {} sizes", role, fmt::join(dims, ","), count)};
}

oracle::ElementType FloatTypeOf(const PythonCall& call) {
  const std::string text = call.Text("dtype", "float32");
  const std::string name = text.substr(text.rfind('.') + 1);
  if (name == "float32" || name == "float") return oracle::ElementType::kF32;
  if (name == "float64" || name == "double") return oracle::ElementType::kF64;
  if (name == "float16" || name == "half") return oracle::ElementType::kF16;
  if (name == "bfloat16") return oracle::ElementType::kBf16;
  throw LineError{
      fmt::format("argument dtype: found '{}', expected float16, bfloat16, float32 or float64", OneLine(text))};
}

PythonCall::PythonCall(std::string_view line, std::span<const std::string_view> names) {
  const auto [name, inside] = FindCall(line, names);
  name_ = name;
  for (std::size_t begin = inside;;) {
    const std::size_t end = EndOf(line, begin, ",)");
    const std::string_view argument_text = Trimmed(line.substr(begin, end - begin));
    const auto name_end =
        static_cast<std::size_t>(std::ranges::find_if_not(argument_text, IsNameByte) - argument_text.begin());
    const std::string_view rest = Trimmed(argument_text.substr(name_end));
    if (name_end > 0 && rest.starts_with('=') && !rest.starts_with("==")) {
      arguments_.push_back({argument_text.substr(0, name_end), ValueOf(Trimmed(rest.substr(1)))});
    } else if (!argument_text.empty()) {
      arguments_.push_back({{}, ValueOf(argument_text)});
    }
    if (line[end] == ')') break;
    begin = end + 1;
  }
}

void PythonCall::NameArguments(std::span<const std::string_view> parameters) {
  std::size_t position = 0;
  for (PythonArgument& argument : arguments_) {
    if (argument.name.empty()) {
      if (position == parameters.size()) throw LineError{fmt::format("found more than {} arguments", position)};
      argument.name = parameters[position++];
    } else if (std::ranges::find(parameters, argument.name) == parameters.end()) {
      throw LineError{fmt::format("{} has no argument {}", name_, OneLine(argument.name))};
    }
    const auto same = std::ranges::count(arguments_, argument.name, &PythonArgument::name);
    if (same > 1) throw LineError{fmt::format("argument {} is given twice", OneLine(argument.name))};
  }
}

const PythonValue* PythonCall::Find(std::string_view parameter) const {
  const auto found = std::ranges::find(arguments_, parameter, &PythonArgument::name);
  return found == arguments_.end() || found->value.source == "None" ? nullptr : &found->value;
}

std::int64_t PythonCall::Integer(std::string_view parameter, std::optional<std::int64_t> default_value) const {
  return PerAxis(parameter, 1, default_value).front();
}

oracle::Dims PythonCall::PerAxis(std::string_view parameter, std::size_t count,
                                 std::optional<std::int64_t> default_value) const {
  const PythonValue* value = Find(parameter);
  if (value == nullptr) {
    if (!default_value) throw LineError{fmt::format("argument {} is missing", parameter)};
    return oracle::Dims(count, *default_value);
  }
  if (!value->numbers || (value->numbers->size() != 1 && value->numbers->size() != count)) {
    throw LineError{ExpectedText(parameter, *value, fmt::format("an integer or {} of them", count))};
  }
  return value->numbers->size() == count ? *value->numbers : oracle::Dims(count, value->numbers->front());
}

std::string PythonCall::Text(std::string_view parameter, std::string_view default_value) const {
  const PythonValue* value = Find(parameter);
  if (value == nullptr) return std::string(default_value);
  return std::string(value->text.value_or(value->source));
}

bool PythonCall::Flag(std::string_view parameter, bool default_value) const {
  const PythonValue* value = Find(parameter);
  if (value == nullptr) return default_value;
  if (value->source == "True" || value->source == "1") return true;
  if (value->source == "False" || value->source == "0") return false;
  throw LineError{ExpectedText(parameter, *value, "True or False")};
}

oracle::Dims PythonCall::DimsOf(std::string_view parameter, const ImportOptions& options) const {
  const PythonValue* value = Find(parameter);
  if (value == nullptr) throw LineError{fmt::format("argument {} is missing", parameter)};
  const oracle::Dims* given = GivenDims(options, value->source);
  if (given == nullptr && parameter == "input") given = GivenDims(options, "");
  if (given != nullptr) return *given;
  if (const auto tensor_maker = TensorMakerOf(value->source)) {
    oracle::Dims dims;
    for (const PythonArgument& argument : tensor_maker->arguments_) {
      const bool is_shape = argument.name.empty() || argument.name == "shape" || argument.name == "size";
      if (!is_shape || !argument.value.numbers || (argument.value.is_list && !dims.empty())) break;
      dims.insert(dims.end(), argument.value.numbers->begin(), argument.value.numbers->end());
      if (argument.value.is_list) break;
    }
    if (!dims.empty()) return dims;
  }
  throw LineError{
      fmt::format("the sizes of argument {} are unknown: give --shape {}=DIMS", parameter, OneLine(value->source))};
}

}  // namespace conformance::formats
