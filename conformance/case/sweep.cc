// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Prints and parses the line of a sweep: one test case that stands for many small operators. Example of a line:
// sweep:of=geometry:bounds=full:operator=ConvTranspose:dialect=onnx-11:auto_pad=valid:stride=2. The parser refuses any
// other text with a message that names the field, what was found and what was expected.

#include "conformance/case/sweep.h"

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/case/dense_operators.h"
#include "conformance/case/text/names.h"

namespace conformance {
namespace {

// The kinds of sweeps, in the order of SweepOf.
constexpr std::array<std::string_view, 5> kOfNames = {"geometry", "axes", "pairs", "planes", "dense"};

enum class SweepField {
  kOf,
  kBounds,
  kAxes,
  kOperator,
  kDialect,
  kType,
  kAutoPad,
  kStride,
  kKernel,
  kSample,
  kSeed,
  kFrom,
  kTo,
};

/// Whether the sweeps of a kind have a field.
enum class Presence : std::uint8_t { kNever, kMay, kMust };
using enum Presence;

struct SweepFieldRule {
  std::string_view name;
  std::array<Presence, kOfNames.size()> presence;  ///< in sweeps of geometry, axes, pairs, planes and dense

  Presence In(SweepOf of) const { return presence.at(static_cast<std::size_t>(of)); }
};

// The fields in the order of the enumeration. A sweep of planes is a random sample, so a stride or kernel selects no
// part.
constexpr std::array kFieldRules = {
    SweepFieldRule{"of", {kMust, kMust, kMust, kMust, kMust}},
    SweepFieldRule{"bounds", {kMust, kMust, kMust, kMust, kNever}},
    SweepFieldRule{"axes", {kNever, kNever, kNever, kNever, kMust}},
    SweepFieldRule{"operator", {kMust, kMust, kMust, kMust, kMust}},
    SweepFieldRule{"dialect", {kMay, kMay, kMay, kMay, kMay}},
    SweepFieldRule{"type", {kMay, kMay, kMay, kMay, kMay}},
    SweepFieldRule{"auto_pad", {kMay, kNever, kNever, kNever, kNever}},
    SweepFieldRule{"stride", {kMay, kMay, kMay, kNever, kMust}},
    SweepFieldRule{"kernel", {kMay, kMay, kMay, kNever, kMust}},
    SweepFieldRule{"sample", {kNever, kNever, kNever, kMust, kNever}},
    SweepFieldRule{"seed", {kNever, kNever, kNever, kMay, kNever}},
    SweepFieldRule{"from", {kMay, kMay, kMay, kMay, kMay}},
    SweepFieldRule{"to", {kMay, kMay, kMay, kMay, kMay}},
};
static_assert(kFieldRules.size() == static_cast<std::size_t>(SweepField::kTo) + 1);

// The beginning of a text for an error message.
std::string PrintablePart(std::string_view text) {
  constexpr std::size_t kShown = 40;
  std::string shown(text.substr(0, kShown));
  std::ranges::replace_if(shown, [](unsigned char c) { return c < 0x20 || c >= 0x7F; }, '?');
  return shown;
}

class SweepParser {
 public:
  std::variant<Sweep, std::string> Parse(std::string_view line) {
    line.remove_prefix(std::min(line.size(), line.find(':')));
    while (!line.empty() && message_.empty()) {
      line.remove_prefix(1);
      const std::string_view field = line.substr(0, line.find(':'));
      const std::size_t equals = std::min(field.find('='), field.size());
      ReadNamedField(field.substr(0, equals), equals == field.size() ? "" : field.substr(equals + 1));
      line.remove_prefix(field.size());
    }
    if (message_.empty()) Check();
    if (!message_.empty()) return message_;
    return sweep_;
  }

 private:
  /// Sets the message of the first error. `what` says what was found and what was expected.
  void Fail(SweepField field, std::string_view what) {
    const SweepFieldRule& rule = kFieldRules.at(static_cast<std::size_t>(field));
    if (message_.empty()) message_ = fmt::format("field '{}': {}", rule.name, what);
  }

  void FailOnValue(SweepField field, std::string_view found, std::string_view expected) {
    Fail(field, fmt::format("found '{}', expected {}", PrintablePart(found), expected));
  }

  /// The index of `value` among the names.
  template <typename Names>
  std::size_t ReadName(SweepField field, std::string_view value, const Names& names) {
    const auto at = static_cast<std::size_t>(std::ranges::find(names, value) - names.begin());
    if (at < names.size()) return at;
    FailOnValue(field, value, fmt::format("one of {}", fmt::join(names, ", ")));
    return 0;
  }

  template <typename Number>
  Number ReadInteger(SweepField field, std::string_view value) {
    Number number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error != std::errc() || end != value.data() + value.size()) FailOnValue(field, value, "a natural number");
    return number;
  }

  void ReadNamedField(std::string_view name, std::string_view value) {
    const auto* const rule = std::ranges::find(kFieldRules, name, &SweepFieldRule::name);
    if (rule == kFieldRules.end()) {
      std::vector<std::string> known;
      for (const SweepFieldRule& one : kFieldRules) known.emplace_back(one.name);
      message_ = fmt::format("unknown field: found '{}', expected one of {}{}", PrintablePart(name),
                             fmt::join(known, ", "), DidYouMean(PrintablePart(name), known));
      return;
    }
    const auto number = static_cast<std::size_t>(rule - kFieldRules.begin());
    const auto field = static_cast<SweepField>(number);
    if (std::exchange(seen_.at(number), true)) return Fail(field, "found twice, expected once");
    ReadField(field, value);
  }

  void ReadField(SweepField field, std::string_view value) {
    switch (field) {
      case SweepField::kOf:
        sweep_.of = static_cast<SweepOf>(ReadName(field, value, kOfNames));
        return;
      case SweepField::kBounds: {
        std::array<std::string_view, kSweepBounds.size()> names{};
        std::ranges::transform(kSweepBounds, names.begin(), &SweepBounds::name);
        sweep_.bounds = kSweepBounds.at(ReadName(field, value, names));
        return;
      }
      case SweepField::kAxes:
        sweep_.axes = ReadInteger<std::int64_t>(field, value);
        return;
      case SweepField::kOperator: {
        const auto kind = oracle::ParseOperatorKind(value);
        if (!kind) return FailOnValue(field, value, "an operator's name");
        sweep_.kind = *kind;
        return;
      }
      case SweepField::kDialect: {
        const auto dialect = oracle::ParseDialect(value);
        if (!dialect) return FailOnValue(field, value, "a dialect's name");
        sweep_.dialect = *dialect;
        return;
      }
      case SweepField::kType: {
        const auto type = oracle::ParseElementType(value);
        if (!type || !IsNumeric(*type)) return FailOnValue(field, value, "a numeric type");
        sweep_.type = *type;
        return;
      }
      case SweepField::kAutoPad: {
        std::array<std::string_view, kAutoPadStates.size()> names{};
        std::ranges::transform(kAutoPadStates, names.begin(),
                               [](AutoPadClass state) { return ClassName(Property::kAutoPad, state); });
        sweep_.auto_pad = kAutoPadStates.at(ReadName(field, value, names));
        return;
      }
      case SweepField::kStride:
        sweep_.stride = ReadInteger<std::int64_t>(field, value);
        return;
      case SweepField::kKernel:
        sweep_.kernel = ReadInteger<std::int64_t>(field, value);
        return;
      case SweepField::kSample:
        sweep_.sample = ReadInteger<std::uint64_t>(field, value);
        return;
      case SweepField::kSeed:
        sweep_.seed = ReadInteger<std::uint64_t>(field, value);
        return;
      case SweepField::kFrom:
        sweep_.from = ReadInteger<std::uint64_t>(field, value);
        return;
      case SweepField::kTo:
        sweep_.to = ReadInteger<std::uint64_t>(field, value);
        return;
    }
  }

  bool Seen(SweepField field) const { return seen_.at(static_cast<std::size_t>(field)); }

  void Check() {
    CheckPresence();
    if (!message_.empty()) return;
    if (!Seen(SweepField::kDialect)) sweep_.dialect = oracle::DialectsOf(sweep_.kind).front();
    if (!oracle::Defines(sweep_.dialect, sweep_.kind)) {
      FailOnValue(SweepField::kDialect, oracle::DialectName(sweep_.dialect),
                  fmt::format("a dialect of {}", oracle::OperatorKindName(sweep_.kind)));
    }
    if (sweep_.of == SweepOf::kDense) {
      CheckDense();
    } else {
      CheckRange(SweepField::kStride, sweep_.stride, sweep_.bounds.stride);
      CheckRange(SweepField::kKernel, sweep_.kernel, sweep_.bounds.kernel);
    }
    if (sweep_.of == SweepOf::kPlanes && (sweep_.sample < 1 || sweep_.sample > kMostSampled)) {
      FailOnValue(SweepField::kSample, fmt::format("{}", sweep_.sample), fmt::format("1 to {}", kMostSampled));
    }
    if (sweep_.to && *sweep_.to <= sweep_.from) {
      FailOnValue(SweepField::kTo, fmt::format("{}", *sweep_.to),
                  fmt::format("a number above {}, 'from'", sweep_.from));
    }
  }

  /// Checks that the sweep has the fields of its kind, and no others.
  void CheckPresence() {
    if (!Seen(SweepField::kOf))
      return Fail(SweepField::kOf, fmt::format("absent, expected one of {}", fmt::join(kOfNames, ", ")));
    const std::string_view own = kOfNames.at(static_cast<std::size_t>(sweep_.of));
    for (std::size_t i = 0; i < kFieldRules.size(); ++i) {
      const Presence presence = kFieldRules.at(i).In(sweep_.of);
      if (presence == kMust && !seen_.at(i))
        Fail(static_cast<SweepField>(i), fmt::format("absent, expected with of={}", own));
      if (presence != kNever || !seen_.at(i)) continue;
      std::vector<std::string_view> kinds;  // those that have the field
      for (std::size_t of = 0; of < kOfNames.size(); ++of) {
        if (kFieldRules.at(i).presence.at(of) != kNever) kinds.push_back(kOfNames.at(of));
      }
      Fail(static_cast<SweepField>(i),
           fmt::format("found with of={}, expected only with of={}", own, fmt::join(kinds, ", ")));
    }
  }

  /// Checks that the value, if there is one, is from 1 to `most`.
  void CheckRange(SweepField field, const std::optional<std::int64_t>& value, std::int64_t most) {
    if (!value || (*value >= 1 && *value <= most)) return;
    FailOnValue(field, fmt::format("{}", *value), fmt::format("1 to {}", most));
  }

  void CheckDense() {
    CheckRange(SweepField::kAxes, sweep_.axes, kMostDenseAxes);
    for (const auto& [field, extent] :
         {std::pair{SweepField::kKernel, *sweep_.kernel}, std::pair{SweepField::kStride, *sweep_.stride}}) {
      CheckRange(field, extent, kMostDenseExtent);
      std::int64_t product = 1;
      for (std::int64_t j = 0; message_.empty() && j < sweep_.axes; ++j) product *= extent;
      if (product <= kMostDenseTaps) continue;
      FailOnValue(field, fmt::format("{}", extent), fmt::format("at most {} along all axes together", kMostDenseTaps));
    }
  }

  Sweep sweep_;
  std::array<bool, kFieldRules.size()> seen_{};  ///< by SweepField
  std::string message_;
};

}  // namespace

std::string ToLine(const Sweep& sweep) {
  std::string line = fmt::format("{}:of={}", kSweepWord, kOfNames.at(static_cast<std::size_t>(sweep.of)));
  const auto add = [&](std::string_view name, const auto& value) { line += fmt::format(":{}={}", name, value); };
  if (sweep.of == SweepOf::kDense) {
    add("axes", sweep.axes);
  } else {
    add("bounds", sweep.bounds.name);
  }
  add("operator", oracle::OperatorKindName(sweep.kind));
  if (sweep.dialect != oracle::DialectsOf(sweep.kind).front()) add("dialect", oracle::DialectName(sweep.dialect));
  if (sweep.type != oracle::ElementType::kF32) add("type", oracle::ElementTypeName(sweep.type));
  if (sweep.auto_pad) add("auto_pad", ClassName(Property::kAutoPad, *sweep.auto_pad));
  if (sweep.stride) add("stride", *sweep.stride);
  if (sweep.kernel) add("kernel", *sweep.kernel);
  if (sweep.sample != 0) add("sample", sweep.sample);
  if (sweep.seed != 0) add("seed", sweep.seed);
  if (sweep.from != 0) add("from", sweep.from);
  if (sweep.to) add("to", *sweep.to);
  return line;
}

std::variant<Sweep, std::string> ParseSweep(std::string_view line) { return SweepParser().Parse(line); }

}  // namespace conformance
