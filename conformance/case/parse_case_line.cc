// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Parses a case line, the one-line text of a test: OPERATOR:NAME=VALUE:NAME=VALUE... Parsing stops at the first fault,
// which becomes the error message. The grammar of lines is in conformance/case/case_line.md.

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/case/case.h"
#include "conformance/case/case_line_fields.h"
#include "conformance/case/given_values.h"
#include "conformance/case/sweep_cases.h"
#include "conformance/case/text/names.h"

namespace conformance {
namespace {

using oracle::Dims;
using oracle::Operator;

// Limits that keep a hostile line from taking memory. Tensors have at most 10 dims, so a list of 64 is surely wrong.
// The indices of data_only may be as many as the values in a line.
constexpr std::size_t kLongestLine = 64 * 1024;
constexpr std::size_t kLongestList = 64;
constexpr std::size_t kLongestDataOnly = kMostInlineValues;

constexpr std::string_view kPunctuation = ",._:=/@%+-";

// The beginning of a text for an error message.
std::string Shortened(std::string_view text) {
  constexpr std::size_t kShown = 48;
  return text.size() <= kShown ? std::string(text) : std::string(text.substr(0, kShown)) + "...";
}

template <typename Names>
std::string UnknownName(std::string_view found, const Names& names) {
  const std::vector<std::string> known(names.begin(), names.end());
  return fmt::format("found '{}', expected one of {}{}", Shortened(found), fmt::join(known, ", "),
                     DidYouMean(found, known));
}

// Reads one line. Each Read function returns false after it has set `message_`.
class Parser {
 public:
  explicit Parser(std::string_view line) : line_(line) {}

  std::variant<Case, ParseError> Parse() {
    Case parsed;
    if (SplitFields() && ReadKind(parsed) && ReadTensors(parsed.op) && ReadAttributes(parsed.op) &&
        ReadValues(parsed) && ReadLaw(parsed) && ReadRepeats(parsed)) {
      return parsed;
    }
    return ParseError{std::move(message_)};
  }

 private:
  bool Fail(std::string message) {
    message_ = "case line: " + std::move(message);
    return false;
  }
  bool FailField(std::string_view name, std::string_view found, std::string_view expected) {
    return Fail(fmt::format("field '{}': found '{}', expected {}", name, Shortened(found), expected));
  }

  bool SplitFields() {
    if (line_.size() > kLongestLine) {
      return Fail(fmt::format("found {} bytes, expected at most {}", line_.size(), kLongestLine));
    }
    for (std::size_t i = 0; i < line_.size(); ++i) {
      if (!IsAlphanumeric(line_[i]) && kPunctuation.find(line_[i]) == std::string_view::npos) {
        return Fail(fmt::format("column {}: found byte 0x{:02x}, expected letters, digits or one of {}", i + 1,
                                static_cast<unsigned char>(line_[i]), kPunctuation));
      }
    }
    std::size_t begin = line_.find(':');
    kind_ = line_.substr(0, begin);
    while (begin != std::string_view::npos) {
      const std::size_t end = line_.find(':', begin + 1);
      if (!AddField(line_.substr(begin + 1, end == std::string_view::npos ? end : end - begin - 1))) return false;
      begin = end;
    }
    return true;
  }

  bool AddField(std::string_view field) {
    const std::size_t equals = field.find('=');
    if (equals == std::string_view::npos) {
      return Fail(fmt::format("found '{}', expected NAME=VALUE", Shortened(field)));
    }
    const std::string_view name = field.substr(0, equals);
    const auto* known = std::find(kFieldNames.begin(), kFieldNames.end(), name);
    if (known == kFieldNames.end()) return Fail(fmt::format("unknown field: {}", UnknownName(name, kFieldNames)));
    std::optional<std::string_view>& field_value = fields_[static_cast<std::size_t>(known - kFieldNames.begin())];
    if (field_value) return FailField(name, field, "the field only once");
    field_value = field.substr(equals + 1);
    return true;
  }

  // The text of the field's value; nullopt if the line does not have the field.
  std::optional<std::string_view> Field(std::string_view name) const {
    return fields_[static_cast<std::size_t>(std::find(kFieldNames.begin(), kFieldNames.end(), name) -
                                            kFieldNames.begin())];
  }

  bool ReadKind(Case& parsed) {
    const auto kind = oracle::ParseOperatorKind(kind_);
    if (!kind) {
      std::array<std::string_view, oracle::kOperatorKinds.size()> kinds;
      std::ranges::transform(oracle::kOperatorKinds, kinds.begin(), oracle::OperatorKindName);
      return Fail(fmt::format("operator: {}", UnknownName(kind_, kinds)));
    }
    parsed.op.kind = *kind;
    return true;
  }

  template <typename Integer>
  bool ReadNumber(std::string_view name, std::string_view text, Integer& value) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc() && end == text.data() + text.size()) return true;
    return FailField(name, text,
                     fmt::format("an integer between {} and {}", std::numeric_limits<Integer>::min(),
                                 std::numeric_limits<Integer>::max()));
  }

  template <typename Integer>
  bool ReadList(std::string_view name, std::string_view text, std::vector<Integer>& list,
                std::size_t longest = kLongestList) {
    list.clear();
    while (!text.empty()) {
      if (list.size() == longest) {
        return Fail(fmt::format("field '{0}': found more than {1} numbers, expected at most {1}", name, longest));
      }
      const std::size_t comma = text.find(',');
      if (!ReadNumber(name, text.substr(0, comma), list.emplace_back())) return false;
      if (comma == std::string_view::npos) break;
      text.remove_prefix(comma + 1);
      if (text.empty()) return FailField(name, "", "an integer after the last ','");
    }
    return true;
  }

  // Decodes a percent-encoded text: "a%40b" becomes "a@b".
  bool ReadText(std::string_view name, std::string_view text, std::string& decoded) {
    decoded.clear();
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] != '%') {
        decoded += text[i];
        continue;
      }
      unsigned byte = 0;
      const char* const begin = text.data() + i + 1;
      const bool complete = i + 2 < text.size();
      if (!complete || std::from_chars(begin, begin + 2, byte, 16).ptr != begin + 2) {
        return FailField(name, text.substr(i, 3), "two hexadecimal digits after '%'");
      }
      decoded += static_cast<char>(byte);
      i += 2;
    }
    return true;
  }

  bool ReadType(std::string_view name, oracle::ElementType& type) {
    const auto text = Field(name);
    if (!text) return true;
    const auto parsed = oracle::ParseElementType(*text);
    if (!parsed) {
      return FailField(name, *text,
                       "one of f64, f32, f16, bf16, i8, i16, i32, i64, u8, u16, u32, u64, boolean, string");
    }
    type = *parsed;
    return true;
  }

  bool ReadTensors(Operator& op) {
    for (const auto& [name, tensor] : {std::pair{field::kData, &op.data}, std::pair{field::kFilter, &op.filter}}) {
      const auto text = Field(name);
      if (!text) return Fail(fmt::format("field '{}' is missing, expected its dimensions ('{}=1,3,8,8')", name, name));
      if (!ReadList(name, *text, tensor->dims)) return false;
    }
    if (!ReadType(field::kType, op.data.type)) return false;
    op.filter.type = op.data.type;
    if (!ReadType(field::kFilterType, op.filter.type)) return false;

    const auto values = Field(field::kOutputShape);
    if (!values) {
      for (const std::string_view name : {field::kOutputShapeType, field::kOutputShapeDims}) {
        if (const auto text = Field(name)) return FailField(name, *text, "the field 'output_shape' as well");
      }
      return true;
    }
    oracle::ShapeInput& shape = op.output_shape.emplace();
    if (!ReadType(field::kOutputShapeType, shape.type) || !ReadShapeValues(*values, shape)) return false;
    shape.dims = {static_cast<std::int64_t>(shape.values.size())};
    const auto dims = Field(field::kOutputShapeDims);
    return !dims || ReadList(field::kOutputShapeDims, *dims, shape.dims);
  }

  // Each value must fit the type. A value of u64 is stored as an int64_t with the same bits.
  bool ReadShapeValues(std::string_view text, oracle::ShapeInput& shape) {
    if (shape.type == oracle::ElementType::kU64) {
      std::vector<std::uint64_t> values;
      if (!ReadList(field::kOutputShape, text, values)) return false;
      for (const std::uint64_t value : values) shape.values.push_back(static_cast<std::int64_t>(value));
      return true;
    }
    if (!ReadList(field::kOutputShape, text, shape.values)) return false;
    const auto wrong = std::ranges::find_if_not(
        shape.values, [&](std::int64_t value) { return oracle::HoldsInteger(shape.type, value); });
    if (wrong == shape.values.end()) return true;
    // The number with all bits set is the largest of an unsigned type, such as 255, and -1 in a signed type.
    const std::int64_t all_bits = oracle::LowBits(shape.type, -1);
    const std::int64_t most =
        all_bits > 0 ? all_bits : (std::int64_t{1} << (8 * oracle::ElementBytes(shape.type) - 1)) - 1;
    return FailField(field::kOutputShape, fmt::format("{}", *wrong),
                     fmt::format("a value of type {}, an integer between {} and {}",
                                 oracle::ElementTypeName(shape.type), all_bits > 0 ? 0 : -most - 1, most));
  }

  bool ReadAttributes(Operator& op) {
    for (const ListField& field : kListFields) {
      const auto text = Field(field.name);
      if (text && !ReadList(field.name, *text, (op.*field.member).emplace())) return false;
    }
    for (const TextField& field : kTextFields) {
      const auto text = Field(field.name);
      if (text && !ReadText(field.name, *text, (op.*field.member).emplace())) return false;
    }
    const auto groups = Field(field::kGroups);
    return !groups || ReadNumber(field::kGroups, *groups, op.groups.emplace());
  }

  bool ReadValues(Case& parsed) {
    if (const auto text = Field(field::kDialect)) {
      const auto dialect = oracle::ParseDialect(*text);
      if (!dialect) {
        std::vector<std::string_view> names;
        names.reserve(oracle::kDialects.size());
        for (const oracle::Dialect known : oracle::kDialects) names.push_back(oracle::DialectName(known));
        return Fail(fmt::format("field 'dialect': {}", UnknownName(*text, names)));
      }
      if (!oracle::Defines(*dialect, parsed.op.kind)) {
        return FailField(field::kDialect, *text,
                         fmt::format("a dialect of {}", oracle::OperatorKindName(parsed.op.kind)));
      }
      if (*dialect != parsed.EffectiveDialect()) parsed.dialect = dialect;
    }
    if (const auto text = Field(field::kValues)) {
      const auto set = ParseDataSet(*text);
      if (!set) {
        std::vector<std::string_view> names;
        names.reserve(kDataSets.size());
        for (const DataSet known : kDataSets) names.push_back(DataSetName(known));
        return Fail(fmt::format("field 'values': {}", UnknownName(*text, names)));
      }
      if (!IsDefinedFor(*set, parsed.op.data.type)) {
        std::vector<std::string_view> names;
        for (const DataSet known : kDataSets) {
          if (IsDefinedFor(known, parsed.op.data.type)) names.push_back(DataSetName(known));
        }
        return FailField(
            field::kValues, *text,
            fmt::format("a data set of type {}: {}", ElementTypeName(parsed.op.data.type), fmt::join(names, ", ")));
      }
      parsed.values = *set;
    }
    if (const auto text = Field(field::kSeed); text && !ReadNumber(field::kSeed, *text, parsed.seed)) return false;
    return ReadDataOnly(parsed) && ReadFileValues(parsed);
  }

  bool ReadDataOnly(Case& parsed) {
    const auto text = Field(field::kDataOnly);
    if (!text) return true;
    Dims& indices = parsed.data_only.emplace();
    if (!ReadList(field::kDataOnly, *text, indices, kLongestDataOnly)) return false;
    const bool ascending = std::ranges::adjacent_find(indices, std::greater_equal<>()) == indices.end();
    if (ascending && (indices.empty() || indices.front() >= 0)) return true;
    return FailField(field::kDataOnly, *text, "ascending indices, each at least 0");
  }

  /// Reads values that stand in the line, or PATH@hHASH of a .npy file. It leaves PATH@OFFSET of a filter to
  /// ReadFileValues.
  bool ReadGiven(const GivenField& given, Case& parsed) {
    const auto text = Field(given.name);
    if (!text) return true;
    const std::size_t at = text->rfind('@');
    if (at == std::string_view::npos) {
      auto values = ParseInline(*text, ValueTypeOf(parsed.op, given.name));
      if (const auto* error = std::get_if<std::string>(&values)) {
        return Fail(fmt::format("field '{}': {}", given.name, *error));
      }
      parsed.*given.member = std::get<InlineValues>(std::move(values));
      return true;
    }
    std::string_view hash = text->substr(at + 1);
    if (!hash.starts_with('h')) {
      return given.name == field::kFilterValues ||
             FailField(given.name, *text, "values, or PATH@hHASH with the 16 hexadecimal digits of the file's hash");
    }
    hash.remove_prefix(1);
    NpyValues npy;
    const auto [end, error] = std::from_chars(hash.data(), hash.data() + hash.size(), npy.hash, 16);
    if (error != std::errc() || end != hash.data() + hash.size() || hash.size() != 16) {
      return FailField(given.name, *text, "PATH@hHASH with the 16 hexadecimal digits of the file's hash");
    }
    if (!ReadText(given.name, text->substr(0, at), npy.path)) return false;
    if (npy.path.empty()) return FailField(given.name, *text, "a path before '@'");
    parsed.*given.member = std::move(npy);
    return true;
  }

  bool ReadFileValues(Case& parsed) {
    for (const GivenField& given : kGivenFields) {
      if (!ReadGiven(given, parsed)) return false;
    }
    const auto text = parsed.given_filter ? std::nullopt : Field(field::kFilterValues);
    const auto stored = Field(field::kFilterStoredAs);
    if (!text)
      return !stored ||
             FailField(field::kFilterStoredAs, *stored, "the field 'filter_values' with PATH@OFFSET as well");
    const std::size_t at = text->rfind('@');
    FileValues& file = parsed.filter_values.emplace();
    if (!ReadText(field::kFilterValues, text->substr(0, at), file.path)) return false;
    if (!ReadNumber(field::kFilterValues, text->substr(at + 1), file.offset)) return false;
    return !stored || ReadType(field::kFilterStoredAs, file.stored_as.emplace());
  }

  bool ReadLaw(Case& parsed) {
    const auto text = Field(field::kLaw);
    if (!text) return true;
    parsed.law = ParseLaw(*text);
    if (!parsed.law) {
      std::vector<std::string_view> names;
      names.reserve(kLaws.size());
      for (const LawName& known : kLaws) names.push_back(known.name);
      return Fail(fmt::format("field 'law': {}", UnknownName(*text, names)));
    }
    if (parsed.values != DataSet::kIntegers) {
      return FailField(field::kValues, DataSetName(parsed.values),
                       "'integers' in a case with a law, which compares exact sums");
    }
    for (const std::string_view name : {field::kFilterValues, field::kDataOnly, field::kDataValues, field::kRecorded}) {
      if (const auto field = Field(name)) return FailField(name, *field, "no such field in a case with a law");
    }
    return true;
  }

  bool ReadRepeats(Case& parsed) {
    const auto text = Field(field::kRepeats);
    if (!text) return true;
    parsed.repeats = FindNamed(kRepetitions, *text);
    if (!parsed.repeats) {
      std::vector<std::string_view> names;
      for (const RepetitionName& one : kRepetitions) names.push_back(one.name);
      return Fail(fmt::format("field 'repeat': {}", UnknownName(*text, names)));
    }
    if (parsed.law) return FailField(field::kRepeats, *text, "no such field in a case with a law");
    return true;
  }

  std::string_view line_;
  std::string_view kind_;
  std::array<std::optional<std::string_view>, kFieldNames.size()> fields_;  // values, in the order of kFieldNames
  std::string message_;
};

}  // namespace

std::variant<Case, ParseError> ParseCaseLine(std::string_view line) {
  if (line.substr(0, line.find(':')) != kSweepWord) return Parser(line).Parse();
  const std::variant<Sweep, std::string> sweep = ParseSweep(line);
  if (const auto* error = std::get_if<std::string>(&sweep)) return ParseError{*error};
  return CaseOf(std::get<Sweep>(sweep));
}

}  // namespace conformance
