// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The case line, both ways. Grammar: conformance/case/case_line.md. The field tables below are the only place where
// names and members meet, so that printing and parsing cannot disagree.

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "conformance/case/case.h"
#include "conformance/case/sweep_cases.h"
#include "conformance/text/nearest.h"

namespace conformance {
namespace {

using oracle::Dims;
using oracle::Operator;

constexpr std::size_t kLongestLine = 64 * 1024;
constexpr std::size_t kLongestList = 64;
constexpr std::size_t kLongestDataOnly = 4096;

struct ListField {
  std::string_view name;
  std::optional<Dims> Operator::* member;
};
constexpr std::array kListFields = {
    ListField{"strides", &Operator::strides},
    ListField{"dilations", &Operator::dilations},
    ListField{"pads_begin", &Operator::pads_begin},
    ListField{"pads_end", &Operator::pads_end},
    ListField{"output_padding", &Operator::output_padding},
    ListField{"dst_shape", &Operator::dst_shape},
    ListField{"kernel_shape", &Operator::kernel_shape},
    ListField{"output_shape_attribute", &Operator::output_shape_attribute},
};

struct TextField {
  std::string_view name;
  std::optional<std::string> Operator::* member;
};
constexpr std::array kTextFields = {
    TextField{"auto_pad", &Operator::auto_pad},
    TextField{"data_format", &Operator::data_format},
    TextField{"weights_format", &Operator::weights_format},
};

constexpr std::array<std::string_view, 26> kFieldNames = {"data",
                                                          "filter",
                                                          "type",
                                                          "filter_type",
                                                          "output_shape",
                                                          "strides",
                                                          "dilations",
                                                          "pads_begin",
                                                          "pads_end",
                                                          "output_padding",
                                                          "auto_pad",
                                                          "groups",
                                                          "data_format",
                                                          "weights_format",
                                                          "dst_shape",
                                                          "kernel_shape",
                                                          "output_shape_attribute",
                                                          "output_shape_type",
                                                          "output_shape_dims",
                                                          "dialect",
                                                          "values",
                                                          "seed",
                                                          "data_only",
                                                          "filter_values",
                                                          "filter_stored_as",
                                                          "law"};

constexpr std::string_view kPunctuation = ",._:=/@%+-";

bool IsAlphanumeric(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

// What a string or a path keeps as it is; the rest has a meaning in the line, or in a shell.
bool StandsForItself(char c) { return IsAlphanumeric(c) || c == '.' || c == '_' || c == '/' || c == '-' || c == '+'; }

std::string Encode(std::string_view text) {
  std::string encoded;
  for (const char c : text) {
    if (StandsForItself(c)) {
      encoded += c;
    } else {
      encoded += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return encoded;
}

std::string Cut(std::string_view text) {
  constexpr std::size_t shown = 48;
  return text.size() <= shown ? std::string(text) : std::string(text.substr(0, shown)) + "...";
}

template <typename Names>
std::string UnknownName(std::string_view found, const Names& names) {
  const std::vector<std::string> known(names.begin(), names.end());
  return fmt::format("found '{}', expected one of {}{}", Cut(found), fmt::join(known, ", "), DidYouMean(found, known));
}

// Reads the fields of one line; the first fault stops it.
class Parser {
 public:
  explicit Parser(std::string_view line) : line_(line) {}

  std::variant<Case, ParseError> Run() {
    Case result;
    if (SplitFields() && ReadKind(result) && ReadTensors(result.op) && ReadAttributes(result.op) &&
        ReadValues(result) && ReadLaw(result)) {
      return result;
    }
    return ParseError{std::move(message_)};
  }

 private:
  bool Fail(std::string message) {
    message_ = "case line: " + std::move(message);
    return false;
  }
  bool FailField(std::string_view name, std::string_view found, std::string_view expected) {
    return Fail(fmt::format("field '{}': found '{}', expected {}", name, Cut(found), expected));
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
      return Fail(fmt::format("found '{}', expected NAME=VALUE", Cut(field)));
    }
    const std::string_view name = field.substr(0, equals);
    const auto* known = std::find(kFieldNames.begin(), kFieldNames.end(), name);
    if (known == kFieldNames.end()) return Fail(fmt::format("unknown field: {}", UnknownName(name, kFieldNames)));
    std::optional<std::string_view>& slot = fields_[static_cast<std::size_t>(known - kFieldNames.begin())];
    if (slot) return FailField(name, field, "the field only once");
    slot = field.substr(equals + 1);
    return true;
  }

  std::optional<std::string_view> Field(std::string_view name) const {
    return fields_[static_cast<std::size_t>(std::find(kFieldNames.begin(), kFieldNames.end(), name) -
                                            kFieldNames.begin())];
  }

  bool ReadKind(Case& result) {
    const auto kind = oracle::ParseOperatorKind(kind_);
    if (!kind) {
      constexpr std::array<std::string_view, 4> kinds = {"ConvolutionBackpropData", "GroupConvolutionBackpropData",
                                                         "ConvolutionBackwardData", "ConvTranspose"};
      return Fail(fmt::format("operator: {}", UnknownName(kind_, kinds)));
    }
    result.op.kind = *kind;
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

  bool ReadList(std::string_view name, std::string_view text, Dims& list, std::size_t longest = kLongestList) {
    list.clear();
    while (!text.empty()) {
      if (list.size() == longest) {
        return Fail(fmt::format("field '{}': found more than {} numbers, expected at most that", name, longest));
      }
      const std::size_t comma = text.find(',');
      if (!ReadNumber(name, text.substr(0, comma), list.emplace_back())) return false;
      if (comma == std::string_view::npos) break;
      text.remove_prefix(comma + 1);
      if (text.empty()) return FailField(name, "", "an integer after the last ','");
    }
    return true;
  }

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
    for (const auto& [name, tensor] : {std::pair{"data", &op.data}, std::pair{"filter", &op.filter}}) {
      const auto text = Field(name);
      if (!text) return Fail(fmt::format("field '{}' is missing, expected its dimensions ('{}=1,3,8,8')", name, name));
      if (!ReadList(name, *text, tensor->dims)) return false;
    }
    if (!ReadType("type", op.data.type)) return false;
    op.filter.type = op.data.type;
    if (!ReadType("filter_type", op.filter.type)) return false;

    const auto values = Field("output_shape");
    if (!values) {
      for (const std::string_view name : {"output_shape_type", "output_shape_dims"}) {
        if (const auto text = Field(name)) return FailField(name, *text, "the field 'output_shape' beside it");
      }
      return true;
    }
    oracle::ShapeInput& shape = op.output_shape.emplace();
    if (!ReadList("output_shape", *values, shape.values)) return false;
    shape.dims = {static_cast<std::int64_t>(shape.values.size())};
    const auto dims = Field("output_shape_dims");
    return ReadType("output_shape_type", shape.type) && (!dims || ReadList("output_shape_dims", *dims, shape.dims));
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
    const auto groups = Field("groups");
    return !groups || ReadNumber("groups", *groups, op.groups.emplace());
  }

  bool ReadValues(Case& result) {
    if (const auto text = Field("dialect")) {
      const auto dialect = oracle::ParseDialect(*text);
      if (!dialect) {
        std::vector<std::string_view> names;
        names.reserve(oracle::kDialects.size());
        for (const oracle::Dialect known : oracle::kDialects) names.push_back(oracle::DialectName(known));
        return Fail(fmt::format("field 'dialect': {}", UnknownName(*text, names)));
      }
      if (!oracle::Speaks(*dialect, result.op.kind)) {
        return FailField("dialect", *text, fmt::format("one that speaks {}", oracle::OperatorKindName(result.op.kind)));
      }
      if (*dialect != result.EffectiveDialect()) result.dialect = dialect;
    }
    if (const auto text = Field("values")) {
      const auto set = ParseDataSet(*text);
      if (!set) {
        std::vector<std::string_view> names;
        names.reserve(kDataSets.size());
        for (const DataSet known : kDataSets) names.push_back(DataSetName(known));
        return Fail(fmt::format("field 'values': {}", UnknownName(*text, names)));
      }
      if (!Suits(*set, result.op.data.type)) {
        return FailField("values", *text,
                         fmt::format("'integers', the only data set of type {}", ElementTypeName(result.op.data.type)));
      }
      result.values = *set;
    }
    if (const auto text = Field("seed"); text && !ReadNumber("seed", *text, result.seed)) return false;
    return ReadDataOnly(result) && ReadFileValues(result);
  }

  bool ReadDataOnly(Case& result) {
    const auto text = Field("data_only");
    if (!text) return true;
    Dims& indices = result.data_only.emplace();
    if (!ReadList("data_only", *text, indices, kLongestDataOnly)) return false;
    const bool ascending = std::ranges::adjacent_find(indices, std::greater_equal<>()) == indices.end();
    if (ascending && (indices.empty() || indices.front() >= 0)) return true;
    return FailField("data_only", *text, "ascending indices from 0 on");
  }

  bool ReadFileValues(Case& result) {
    const auto text = Field("filter_values");
    const auto stored = Field("filter_stored_as");
    if (!text) return !stored || FailField("filter_stored_as", *stored, "the field 'filter_values' beside it");
    const std::size_t at = text->rfind('@');
    if (at == std::string_view::npos) return FailField("filter_values", *text, "PATH@OFFSET");
    FileValues& file = result.filter_values.emplace();
    if (!ReadText("filter_values", text->substr(0, at), file.path)) return false;
    if (!ReadNumber("filter_values", text->substr(at + 1), file.offset)) return false;
    return !stored || ReadType("filter_stored_as", file.stored_as.emplace());
  }

  bool ReadLaw(Case& result) {
    const auto text = Field("law");
    if (!text) return true;
    result.law = ParseLaw(*text);
    if (!result.law) {
      std::vector<std::string_view> names;
      names.reserve(kLaws.size());
      for (const LawName& known : kLaws) names.push_back(known.name);
      return Fail(fmt::format("field 'law': {}", UnknownName(*text, names)));
    }
    if (result.values != DataSet::kIntegers) {
      return FailField("values", DataSetName(result.values), "'integers' beside a law, which compares exact sums");
    }
    for (const std::string_view name : {"filter_values", "data_only"}) {
      if (const auto field = Field(name)) return FailField(name, *field, "no such field beside a law");
    }
    return true;
  }

  std::string_view line_;
  std::string_view kind_;
  std::array<std::optional<std::string_view>, kFieldNames.size()> fields_;
  std::string message_;
};

}  // namespace

oracle::Dialect Case::EffectiveDialect() const { return dialect ? *dialect : oracle::DialectsOf(op.kind).front(); }

void FillData(const Case& test_case, const oracle::Geometry& geometry, std::span<std::byte> bytes) {
  FillTensor(test_case.values, test_case.seed, geometry, Tensor::kData, bytes);
  if (!test_case.data_only) return;
  const std::size_t element = oracle::ElementBytes(geometry.type);
  auto kept = test_case.data_only->begin();
  for (std::int64_t i = 0; i < geometry.DataCount(); ++i) {
    if (kept != test_case.data_only->end() && *kept == i) {
      ++kept;
    } else {
      std::ranges::fill(bytes.subspan(static_cast<std::size_t>(i) * element, element), std::byte{0});
    }
  }
}

std::string ToLine(const Case& test_case) {
  if (test_case.sweep) return ToLine(*test_case.sweep);
  const Operator& op = test_case.op;
  std::string line(OperatorKindName(op.kind));
  const auto add = [&](std::string_view name, std::string_view value) { line += fmt::format(":{}={}", name, value); };
  const auto add_list = [&](std::string_view name, const Dims& list) {
    add(name, fmt::format("{}", fmt::join(list, ",")));
  };

  add_list("data", op.data.dims);
  add_list("filter", op.filter.dims);
  if (op.data.type != oracle::ElementType::kF32) add("type", ElementTypeName(op.data.type));
  if (op.filter.type != op.data.type) add("filter_type", ElementTypeName(op.filter.type));
  if (op.output_shape) {
    const oracle::ShapeInput& shape = *op.output_shape;
    add_list("output_shape", shape.values);
    if (shape.type != oracle::ElementType::kI64) add("output_shape_type", ElementTypeName(shape.type));
    if (shape.dims != Dims{static_cast<std::int64_t>(shape.values.size())}) add_list("output_shape_dims", shape.dims);
  }
  for (const ListField& field : kListFields) {
    if (op.*field.member) add_list(field.name, *(op.*field.member));
  }
  for (const TextField& field : kTextFields) {
    if (op.*field.member) add(field.name, Encode(*(op.*field.member)));
  }
  if (op.groups) add("groups", fmt::format("{}", *op.groups));

  const oracle::Dialect default_dialect = oracle::DialectsOf(op.kind).front();
  if (test_case.EffectiveDialect() != default_dialect) add("dialect", DialectName(test_case.EffectiveDialect()));
  if (test_case.values != DataSet::kIntegers) add("values", DataSetName(test_case.values));
  if (test_case.seed != 0) add("seed", fmt::format("{}", test_case.seed));
  if (test_case.data_only) add_list("data_only", *test_case.data_only);
  if (const auto& file = test_case.filter_values) {
    add("filter_values", fmt::format("{}@{}", Encode(file->path), file->offset));
    if (test_case.filter_values->stored_as)
      add("filter_stored_as", ElementTypeName(*test_case.filter_values->stored_as));
  }
  if (test_case.law) add("law", NameOf(*test_case.law));
  return line;
}

std::variant<Case, ParseError> ParseCaseLine(std::string_view line) {
  if (line.substr(0, line.find(':')) != kSweepWord) return Parser(line).Run();
  const std::variant<Sweep, std::string> sweep = ParseSweep(line);
  if (const auto* error = std::get_if<std::string>(&sweep)) return ParseError{*error};
  return CaseOf(std::get<Sweep>(sweep));
}

}  // namespace conformance
