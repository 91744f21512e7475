// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Prints and parses the line of a sweep: one case that stands for many small operators. Example of a line:
// sweep:of=geometry:bounds=full:operator=ConvTranspose:dialect=onnx-11:auto_pad=valid:stride=2.

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

constexpr std::array<std::string_view, 5> kOfNames = {"geometry", "axes", "pairs", "planes", "dense"};
constexpr std::array<std::string_view, 13> kFieldNames = {"of",   "bounds",   "axes",   "operator", "dialect",
                                                          "type", "auto_pad", "stride", "kernel",   "sample",
                                                          "seed", "from",     "to"};

std::string PrintablePart(std::string_view text) {
  constexpr std::size_t kShown = 40;
  std::string shown(text.substr(0, kShown));
  std::ranges::replace_if(shown, [](unsigned char c) { return c < 0x20 || c >= 0x7F; }, '?');
  return shown;
}

class SweepParser {
 public:
  std::variant<Sweep, std::string> Read(std::string_view line) {
    line.remove_prefix(std::min(line.size(), line.find(':')));
    while (!line.empty() && message_.empty()) {
      line.remove_prefix(1);
      const std::string_view field = line.substr(0, line.find(':'));
      const std::size_t equals = std::min(field.find('='), field.size());
      ReadField(field.substr(0, equals), equals == field.size() ? "" : field.substr(equals + 1));
      line.remove_prefix(field.size());
    }
    if (message_.empty()) Check();
    if (!message_.empty()) return message_;
    return sweep_;
  }

 private:
  void Fail(std::string_view field, std::string_view found, std::string_view expected) {
    if (message_.empty())
      message_ = fmt::format("field '{}': found '{}', expected {}", field, PrintablePart(found), expected);
  }

  template <typename Names>
  std::size_t Choice(std::string_view field, std::string_view value, const Names& names) {
    const auto at = static_cast<std::size_t>(std::ranges::find(names, value) - names.begin());
    if (at < names.size()) return at;
    Fail(field, value, fmt::format("one of {}", fmt::join(names, ", ")));
    return 0;
  }

  template <typename Number>
  Number Integer(std::string_view field, std::string_view value) {
    Number number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error != std::errc() || end != value.data() + value.size()) Fail(field, value, "a natural number");
    return number;
  }

  void ReadField(std::string_view name, std::string_view value) {
    const std::size_t field = static_cast<std::size_t>(std::ranges::find(kFieldNames, name) - kFieldNames.begin());
    if (field == kFieldNames.size()) {
      const std::vector<std::string> known(kFieldNames.begin(), kFieldNames.end());
      message_ = fmt::format("unknown field: found '{}', expected one of {}{}", PrintablePart(name),
                             fmt::join(known, ", "), DidYouMean(PrintablePart(name), known));
      return;
    }
    if (std::exchange(seen_[field], true)) return Fail(name, value, "the field only once");
    if (name == "of") {
      sweep_.of = static_cast<SweepOf>(Choice(name, value, kOfNames));
    } else if (name == "bounds") {
      std::array<std::string_view, kSweepBounds.size()> names{};
      std::ranges::transform(kSweepBounds, names.begin(), &SweepBounds::name);
      sweep_.bounds = kSweepBounds.at(Choice(name, value, names));
    } else if (name == "axes") {
      sweep_.axes = Integer<std::int64_t>(name, value);
    } else if (name == "operator") {
      const auto kind = oracle::ParseOperatorKind(value);
      if (!kind) return Fail(name, value, "an operator's name");
      sweep_.kind = *kind;
    } else if (name == "dialect") {
      const auto dialect = oracle::ParseDialect(value);
      if (!dialect) return Fail(name, value, "a dialect's name");
      sweep_.dialect = *dialect;
    } else if (name == "type") {
      const auto type = oracle::ParseElementType(value);
      if (!type || !IsNumeric(*type)) return Fail(name, value, "a numeric type");
      sweep_.type = *type;
    } else if (name == "auto_pad") {
      sweep_.auto_pad =
          kAutoPadStates.at(Choice(name, value, ClassNames(Property::kAutoPad).first(kAutoPadStates.size())));
    } else if (name == "stride") {
      sweep_.stride = Integer<std::int64_t>(name, value);
    } else if (name == "kernel") {
      sweep_.kernel = Integer<std::int64_t>(name, value);
    } else if (name == "sample") {
      sweep_.sample = Integer<std::uint64_t>(name, value);
    } else if (name == "seed") {
      sweep_.seed = Integer<std::uint64_t>(name, value);
    } else if (name == "from") {
      sweep_.from = Integer<std::uint64_t>(name, value);
    } else {
      sweep_.to = Integer<std::uint64_t>(name, value);
    }
  }

  bool Seen(std::string_view name) const {
    return seen_.at(static_cast<std::size_t>(std::ranges::find(kFieldNames, name) - kFieldNames.begin()));
  }

  void Check() {
    for (const std::string_view needed : {"of", "operator"}) {
      if (!Seen(needed)) return Fail(needed, "", "a value");
    }
    if (!Seen("dialect")) sweep_.dialect = oracle::DialectsOf(sweep_.kind).front();
    if (!oracle::Defines(sweep_.dialect, sweep_.kind)) {
      return Fail("dialect", oracle::DialectName(sweep_.dialect),
                  fmt::format("a dialect of {}", oracle::OperatorKindName(sweep_.kind)));
    }
    if (sweep_.auto_pad && sweep_.of != SweepOf::kGeometry) {
      return Fail("auto_pad", ClassName(Property::kAutoPad, *sweep_.auto_pad), "the field only with of=geometry");
    }
    CheckSample();
    const bool dense = sweep_.of == SweepOf::kDense;
    if (dense) CheckDense();
    for (const std::string_view name : {"bounds", "axes"}) {
      const bool needed = dense == (name == "axes");
      if (needed && !Seen(name)) return Fail(name, "", "a value");
      if (!needed && Seen(name))
        return Fail(name, "a value", dense ? "no such field with of=dense" : "the field only with of=dense");
    }
    if (dense) return CheckRange();
    Within("stride", sweep_.stride, sweep_.bounds.stride);
    Within("kernel", sweep_.kernel, sweep_.bounds.kernel);
    CheckRange();
  }

  void CheckRange() {
    if (sweep_.to && *sweep_.to <= sweep_.from) Fail("to", fmt::format("{}", *sweep_.to), "a number above 'from'");
  }

  void Within(std::string_view name, const std::optional<std::int64_t>& value, std::int64_t most) {
    if (value && (*value < 1 || *value > most)) Fail(name, fmt::format("{}", *value), fmt::format("1 to {}", most));
  }

  void CheckDense() {
    for (const std::string_view needed : {"axes", "stride", "kernel"}) {
      if (!Seen(needed)) return Fail(needed, "", "a value");
    }
    Within("axes", sweep_.axes, kMostDenseAxes);
    for (const auto& [name, extent] : {std::pair{"kernel", *sweep_.kernel}, std::pair{"stride", *sweep_.stride}}) {
      Within(name, extent, kMostDenseExtent);
      std::int64_t product = 1;
      for (std::int64_t j = 0; message_.empty() && j < sweep_.axes; ++j) product *= extent;
      if (product > kMostDenseTaps) {
        Fail(name, fmt::format("{}", extent), fmt::format("at most {} along all axes together", kMostDenseTaps));
      }
    }
  }

  // A sweep of planes is a random sample of the operators within the bounds. Other sweeps have no sample and no seed.
  void CheckSample() {
    const bool planes = sweep_.of == SweepOf::kPlanes;
    for (const std::string_view name : {"sample", "seed"}) {
      if (Seen(name) && !planes) return Fail(name, "a value", "the field only with of=planes");
    }
    if (!planes) return;
    for (const std::string_view name : {"stride", "kernel"}) {
      if (Seen(name)) return Fail(name, "a value", "no such field with of=planes");
    }
    if (sweep_.sample < 1 || sweep_.sample > kMostSampled) {
      Fail("sample", fmt::format("{}", sweep_.sample), fmt::format("1 to {}", kMostSampled));
    }
  }

  Sweep sweep_;
  std::array<bool, kFieldNames.size()> seen_{};
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

std::variant<Sweep, std::string> ParseSweep(std::string_view line) { return SweepParser().Read(line); }

}  // namespace conformance
