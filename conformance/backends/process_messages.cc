// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the JSON lines in which a command, used as a backend, answers the requests of the process protocol. Checks
// every member of a line before the suite uses it: a missing, unknown or malformed member is a complaint.

#include "conformance/backends/process_messages.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/case/text/json_text.h"
#include "conformance/case/text/names.h"
#include "conformance/interface/backend_description.h"
#include "conformance/interface/describe_operator.h"
#include "oracle/element_type.h"

namespace conformance {
namespace {

using nlohmann::json;
using oracle::Dims;

// The first 80 characters of a backend's line, made printable for a message.
std::string Shown(std::string_view line) {
  constexpr std::size_t kMost = 80;  // one line of a terminal
  return fmt::format("'{}'{}", Printable(line.substr(0, kMost)), line.size() > kMost ? "..." : "");
}

std::string ShownJson(const json& value) { return Shown(JsonText(value)); }

/// A word of the protocol, and the number that stands for it in the C interface.
struct Word {
  const char* text;
  std::int32_t value;
};

// Reads a JSON object key by key and keeps the first complaint. At the end, a key that was not read is a complaint too.
class Reader {
 public:
  Reader(std::string_view line, std::int64_t id) : message_(ParseJsonIfValid(line)) {
    if (!message_.is_object()) {
      Complain(fmt::format("is no line of JSON: {}, expected an answer to request {}", Shown(line), id));
      message_ = json::object();
      return;
    }
    const std::int64_t found = Required("id") ? Number("id", 0, INT64_MAX) : id;
    if (complaint_.empty() && found != id) Complain(fmt::format("has the number {}, expected {}", found, id));
  }

  /// Returns whether the key is there. Complains if it is missing.
  bool Required(const char* key) {
    if (message_.contains(key)) return true;
    Complain(fmt::format("has no key \"{}\"", key));
    return false;
  }
  /// Returns whether the key is there. From now on the key is known, so Complaint() accepts it. The functions below
  /// call Has(). They return 0, an empty value or the first word if the key is absent or its value is wrong.
  bool Has(const char* key) {
    known_.emplace_back(key);
    return message_.contains(key);
  }

  std::int64_t Number(const char* key, std::int64_t least, std::int64_t most) {
    if (!Has(key)) return 0;
    const std::optional<std::int64_t> value = IntegerOf(message_[key]);
    if (value && *value >= least && *value <= most) return *value;
    ComplainOfValue(key, fmt::format("an integer from {} to {}", least, most));
    return 0;
  }

  std::string Text(const char* key) {
    if (!Has(key)) return "";
    if (message_[key].is_string()) return message_[key].get<std::string>();
    ComplainOfValue(key, "a string");
    return "";
  }

  bool Bool(const char* key) {
    if (!Has(key)) return false;
    if (!message_[key].is_boolean()) ComplainOfValue(key, "true or false");
    return message_[key] == true;
  }

  Dims List(const char* key) {
    Dims list;
    if (!Has(key)) return list;
    const json& found = message_[key];
    if (!found.is_array() || found.size() > DECONV_BACKEND_MAX_RANK) {
      ComplainOfValue(key, fmt::format("a list of at most {} integers", DECONV_BACKEND_MAX_RANK));
      return list;
    }
    for (std::size_t i = 0; i < found.size(); ++i) {
      const std::optional<std::int64_t> value = IntegerOf(found[i]);
      if (!value) {
        Complain(fmt::format("has {} as value {} of \"{}\", expected an integer from {} to {}", ShownJson(found[i]), i,
                             key, INT64_MIN, INT64_MAX));
      }
      list.push_back(value.value_or(0));
    }
    return list;
  }

  std::vector<std::string> Names(const char* key) {
    std::vector<std::string> names;
    if (!Has(key)) return names;
    const json& found = message_[key];
    bool are_names = found.is_array();
    for (std::size_t i = 0; are_names && i < found.size(); ++i) {
      are_names = found[i].is_string();
      if (are_names) names.push_back(found[i].get<std::string>());
    }
    if (!are_names) ComplainOfValue(key, "a list of names");
    return names;
  }

  /// The value of the word at `key`, or of the first one if the key is absent.
  std::int32_t OneOf(const char* key, std::span<const Word> words) {
    if (!Has(key)) return words.front().value;
    const std::string text = Text(key);
    for (const Word& word : words) {
      if (text == word.text) return word.value;
    }
    ComplainOfWord(key, text, words);
    return words.front().value;
  }

  /// Returns a set of bits: for each name in the list, the bit whose number is the value of the name's word.
  std::uint32_t Bits(const char* key, std::span<const Word> words) {
    std::uint32_t bits = 0;
    for (const std::string& name : Names(key)) {
      bool known = false;
      for (const Word& word : words) {
        if (name != word.text) continue;
        bits |= 1U << word.value;
        known = true;
      }
      if (!known) ComplainOfWord(key, name, words);
    }
    return bits;
  }

  /// Calls `use` with a reader for each object of a list.
  template <class Read>
  void ForEachObject(const char* key, const Read& use) {
    if (!Has(key)) return;
    if (!message_[key].is_array()) return ComplainOfValue(key, "a list of objects");
    for (const json& row : message_[key]) {
      if (!row.is_object()) return ComplainOfValue(key, "a list of objects");
      Reader read(row);
      use(read);
      if (std::string complaint = read.Complaint(); !complaint.empty()) {
        Complain(fmt::format("in a row of \"{}\" {}", key, complaint));
      }
    }
  }

  /// The message without its number, as normalized JSON text, for comparisons.
  std::string TextWithoutId() const {
    json rest = message_;
    rest.erase("id");
    return JsonText(rest);
  }

  /// The first complaint about the message, or an empty string. Call it after all keys were read.
  std::string Complaint() {
    for (const auto& item : message_.items()) {
      if (std::ranges::find(known_, item.key()) != known_.end()) continue;
      Complain(fmt::format("has an unknown key {}{}", Shown(item.key()), DidYouMean(item.key(), known_)));
    }
    return complaint_;
  }

  void Complain(std::string complaint) {
    if (complaint_.empty()) complaint_ = std::move(complaint);
  }

 private:
  explicit Reader(json row) : message_(std::move(row)) {}

  static std::optional<std::int64_t> IntegerOf(const json& value) {
    if (value.is_number_unsigned() && value.get<std::uint64_t>() > INT64_MAX) return std::nullopt;
    if (value.is_number_integer()) return value.get<std::int64_t>();
    if (!value.is_string()) return std::nullopt;
    const auto& text = value.get_ref<const std::string&>();
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return number;
  }

  /// Complains about the value at a key.
  void ComplainOfValue(const char* key, const std::string& expected) {
    Complain(fmt::format("has {} as \"{}\", expected {}", ShownJson(message_[key]), key, expected));
  }

  /// Complains about a word that is none of the protocol's.
  void ComplainOfWord(const char* key, const std::string& found, std::span<const Word> words) {
    std::vector<std::string> names;
    for (const Word& word : words) names.emplace_back(word.text);
    Complain(fmt::format("has {} in \"{}\"{}, expected of {}", Shown(found), key, DidYouMean(found, names),
                         fmt::join(names, ", ")));
  }

  json message_;
  std::vector<std::string> known_;
  std::string complaint_;
};

constexpr std::array kOperators = {Word{"ConvolutionBackpropData", DECONV_ID_CONVOLUTION_BACKPROP_DATA},
                                   Word{"GroupConvolutionBackpropData", DECONV_ID_GROUP_CONVOLUTION_BACKPROP_DATA},
                                   Word{"ConvolutionBackwardData", DECONV_ID_CONVOLUTION_BACKWARD_DATA},
                                   Word{"ConvTranspose", DECONV_ID_CONV_TRANSPOSE}};
constexpr std::array kTypes = {Word{"f64", DECONV_ID_F64},   Word{"f32", DECONV_ID_F32}, Word{"f16", DECONV_ID_F16},
                               Word{"bf16", DECONV_ID_BF16}, Word{"i8", DECONV_ID_I8},   Word{"i16", DECONV_ID_I16},
                               Word{"i32", DECONV_ID_I32},   Word{"i64", DECONV_ID_I64}, Word{"u8", DECONV_ID_U8},
                               Word{"u16", DECONV_ID_U16},   Word{"u32", DECONV_ID_U32}, Word{"u64", DECONV_ID_U64}};
// The first word is the default for an absent key.
constexpr std::array kAccumulators = {Word{"f32", DECONV_ACCUMULATOR_F32}, Word{"f64", DECONV_ACCUMULATOR_F64},
                                      Word{"storage", DECONV_ACCUMULATOR_STORAGE},
                                      Word{"f64-through-f32", DECONV_ACCUMULATOR_F64_THROUGH_F32}};
constexpr std::array kRoundings = {Word{"nearest", 0}, Word{"faithful", 1}};
constexpr std::array kSubnormals = {Word{"kept", DECONV_SUBNORMALS_KEPT}, Word{"flushed", DECONV_SUBNORMALS_FLUSHED},
                                    Word{"flushed-in-bf16", DECONV_SUBNORMALS_FLUSHED_IN_BF16}};
constexpr std::array kOverflows = {Word{"wraps", DECONV_OVERFLOW_WRAPS}, Word{"saturates", DECONV_OVERFLOW_SATURATES}};
constexpr std::array kDeterministic = {Word{"no", 0}, Word{"every-run", DECONV_SAME_BITS_EVERY_RUN},
                                       Word{"any-threads", DECONV_SAME_BITS_EVERY_RUN | DECONV_SAME_BITS_ANY_THREADS}};
constexpr std::array kFloatingTypes = {kTypes[0], kTypes[1], kTypes[2], kTypes[3]};
constexpr std::array kIntegerTypes = {kTypes[4], kTypes[5], kTypes[6],  kTypes[7],
                                      kTypes[8], kTypes[9], kTypes[10], kTypes[11]};
// The types that a backend may compute in f32 instead: f64 and the integers.
constexpr std::array kMayBeInF32 = {kTypes[0], kTypes[4], kTypes[5],  kTypes[6], kTypes[7],
                                    kTypes[8], kTypes[9], kTypes[10], kTypes[11]};
constexpr std::array kTypeRoundings = {
    Word{"nearest", DECONV_ROUNDING_NEAREST}, Word{"faithful", DECONV_ROUNDING_FAITHFUL},
    Word{"faithful-sums", DECONV_ROUNDING_FAITHFUL_SUMS}, Word{"fused-sums", DECONV_ROUNDING_FUSED_SUMS}};
constexpr std::array kTypeSubnormals = {kSubnormals[0], kSubnormals[1]};
// The numbers are those of the bits of deconv_unsupported_bit.
constexpr std::array kUnsupported = {Word{"dilations", 0},
                                     Word{"groups", 1},
                                     Word{"asymmetric-pads", 2},
                                     Word{"negative-pads", 3},
                                     Word{"output-padding", 4},
                                     Word{"empty-tensors", 5},
                                     Word{"shape-attribute", 6},
                                     Word{"shape-input", 7},
                                     Word{"auto-pad", 8},
                                     Word{"strides", 9},
                                     Word{"ncx", 10},
                                     Word{"nxc", 11},
                                     Word{"oix", 12},
                                     Word{"xio", 13}};
static_assert(DECONV_UNSUPPORTED_XIO == 1U << 13);
// The numbers are those of the bits of deconv_deviation_bit.
constexpr std::array kDeviations = {Word{"structural-nan", 0}, Word{"clamped-infinity", 1}};
static_assert(DECONV_DEVIATION_STRUCTURAL_NAN == 1U << 0 && DECONV_DEVIATION_CLAMPED_INFINITY == 1U << 1);
constexpr std::array kAlgorithms = {Word{"direct", DECONV_ALGORITHM_DIRECT}, Word{"fast", DECONV_ALGORITHM_FAST}};
constexpr std::array kAnswers = {Word{"computed", DECONV_ANSWER_COMPUTED}, Word{"refused", DECONV_ANSWER_REFUSED},
                                 Word{"unsupported", DECONV_ANSWER_UNSUPPORTED},
                                 Word{"other-shape", DECONV_ANSWER_OTHER_SHAPE}, Word{"error", DECONV_ANSWER_ERROR}};

// Reads the members that answers to `run` and `resolve` have in common. `may_omit_dims`: a computed answer needs no
// dims.
ProcessAnswer ReadCommon(Reader& read, bool may_omit_dims = false) {
  ProcessAnswer answer;
  if (read.Required("answer")) answer.answer = static_cast<deconv_answer>(read.OneOf("answer", kAnswers));
  const bool has_dims = answer.answer == DECONV_ANSWER_COMPUTED || answer.answer == DECONV_ANSWER_OTHER_SHAPE;
  if (has_dims && !(may_omit_dims && answer.answer == DECONV_ANSWER_COMPUTED)) read.Required("dims");
  answer.dims = read.List("dims");
  answer.message = read.Text("message");
  return answer;
}

}  // namespace

std::variant<ProcessDescription, std::string> ReadDescribeAnswer(std::string_view line, std::int64_t id) {
  Reader read(line, id);
  ProcessDescription description;
  for (const char* key :
       {"protocol", "name", "version", "dialects", "operators", "element_types", "min_rank", "max_rank"}) {
    read.Required(key);
  }
  const std::int64_t protocol = read.Number("protocol", 0, INT32_MAX);
  if (protocol != kProcessProtocol) {
    read.Complain(fmt::format("speaks version {} of the protocol, expected {}", protocol, kProcessProtocol));
  }
  description.name = read.Text("name");
  description.version = read.Text("version");
  description.dialects = read.Names("dialects");
  deconv_backend_description& to = description.declared;
  to.size = sizeof to;
  to.operators = read.Bits("operators", kOperators);
  to.element_types = read.Bits("element_types", kTypes);
  to.min_rank = static_cast<std::int32_t>(read.Number("min_rank", 0, DECONV_BACKEND_MAX_RANK));
  to.max_rank = static_cast<std::int32_t>(read.Number("max_rank", 0, DECONV_BACKEND_MAX_RANK));
  to.max_bytes = static_cast<std::uint64_t>(read.Number("max_bytes", 0, INT64_MAX));
  to.accumulator = read.OneOf("accumulator", kAccumulators);
  to.faithful_rounding = read.OneOf("rounding", kRoundings);
  to.subnormals = read.OneOf("subnormals", kSubnormals);
  to.overflow = read.OneOf("overflow", kOverflows);
  to.saturating_types = read.Bits("saturating_types", kIntegerTypes);
  to.types_in_f32 = read.Bits("types_in_f32", kMayBeInF32);
  to.deterministic = static_cast<std::uint32_t>(read.OneOf("deterministic", kDeterministic));
  to.max_threads = static_cast<std::int32_t>(read.Number("max_threads", 0, INT32_MAX));
  to.algorithm = read.OneOf("algorithm", kAlgorithms);
  to.known_deviations = read.Bits("known_deviations", kDeviations);
  read.ForEachObject("arithmetic", [&](Reader& row) {
    row.Required("element_type");
    description.arithmetic.push_back({.size = sizeof(deconv_type_arithmetic),
                                      .element_type = row.OneOf("element_type", kFloatingTypes),
                                      .accumulator = row.OneOf("accumulator", kAccumulators),
                                      .rounding = row.OneOf("rounding", kTypeRoundings),
                                      .subnormals = row.OneOf("subnormals", kTypeSubnormals)});
  });
  description.resolves = read.Bool("resolve");
  description.answers_supports = read.Bool("supports");
  to.takes_resolved = read.Bool("takes_resolved") ? 1 : 0;
  to.max_attribute = read.Number("max_attribute", 0, INT64_MAX);
  to.unsupported = read.Bits("unsupported", kUnsupported);
  description.text = read.TextWithoutId();
  if (std::string complaint = read.Complaint(); !complaint.empty()) return complaint;
  return description;
}

std::variant<ProcessAnswer, std::string> ReadRunAnswer(std::string_view line, std::int64_t id, bool may_omit_dims) {
  Reader read(line, id);
  ProcessAnswer answer = ReadCommon(read, may_omit_dims);
  if (answer.answer == DECONV_ANSWER_COMPUTED) read.Required("output_bytes");
  answer.output_bytes = static_cast<std::uint64_t>(read.Number("output_bytes", 0, INT64_MAX));
  answer.implementation = read.Text("implementation");
  if (answer.answer != DECONV_ANSWER_COMPUTED && answer.output_bytes != 0) {
    read.Complain(fmt::format("has {} as \"output_bytes\", expected none with this answer", answer.output_bytes));
  }
  if (std::string complaint = read.Complaint(); !complaint.empty()) return complaint;
  return answer;
}

std::variant<SupportsAnswer, std::string> ReadSupportsAnswer(std::string_view line, std::int64_t id) {
  Reader read(line, id);
  SupportsAnswer answer;
  if (read.Required("supported")) answer.supported = read.Bool("supported");
  answer.message = read.Text("message");
  if (std::string complaint = read.Complaint(); !complaint.empty()) return complaint;
  return answer;
}

std::variant<ProcessAnswer, std::string> ReadResolveAnswer(std::string_view line, std::int64_t id) {
  Reader read(line, id);
  ProcessAnswer answer = ReadCommon(read);
  if (read.Has("pads_begin")) answer.pads_begin = read.List("pads_begin");
  if (std::string complaint = read.Complaint(); !complaint.empty()) return complaint;
  return answer;
}

}  // namespace conformance
