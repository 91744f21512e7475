// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads and writes the file of a pinned support map, and finds the classes that differ from it. A support map counts
// the supported cases of each class of operators.

#include "conformance/report/support/pinned_support.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include <fmt/format.h>

#include "conformance/case/text/json_text.h"

namespace conformance {
namespace {

using nlohmann::json;

constexpr int kVersion = 1;  // of the file's format

PinnedSupport ReadSupport(const json& object) {
  const auto version = IntegerAt<int>(object, "support_map");
  if (version != kVersion) {
    throw std::invalid_argument(fmt::format("support_map: found version {}, expected {}", version, kVersion));
  }
  PinnedSupport pinned;
  const json& classes = object.at("classes");
  if (!classes.is_object()) {
    throw std::invalid_argument(fmt::format("classes: found {}, expected an object", classes.type_name()));
  }
  for (const auto& [text, counts] : classes.items()) {
    const std::vector<std::size_t> numbers = IntegersAt<std::size_t>(classes, text.c_str());
    if (numbers.size() != 2 || numbers[0] > numbers[1]) {
      throw std::invalid_argument(
          fmt::format("classes: '{}' has {}, expected the supported cases and all cases", text, JsonText(counts)));
    }
    pinned[text] = {.supported = numbers[0], .total = numbers[1]};
  }
  return pinned;
}

std::string CountText(const SupportCount& count) { return fmt::format("{} of {}", count.supported, count.total); }

/// Whether the class certainly lost support: it has more unsupported cases than the old ones and all cases that may be
/// new. Example: 8 of 10 before, 7 of 11 now. 4 unsupported cases are more than the old 2 and 1 new one.
bool HasLost(const SupportCount& before, const SupportCount& now) {
  const std::size_t added = now.total - std::min(before.total, now.total);
  return now.total - now.supported > before.total - before.supported + added;
}

/// Whether the class certainly gained support. If the numbers of cases differ, only a class without support can gain
/// it.
bool HasGained(const SupportCount& before, const SupportCount& now) {
  return before.total == now.total ? now.supported > before.supported : before.supported == 0 && now.supported != 0;
}

/// A line for each operator that has supported cases in the file, but that the backend no longer declares. Such an
/// operator has no cases in the map, whichever cases were selected.
std::vector<std::string> LostOperators(const PinnedSupport& pinned, const SupportMap& now) {
  std::map<std::string, SupportCount> before;
  for (const auto& [text, count] : pinned) {
    std::string name = text.substr(0, text.find(' '));
    if (now.operators.contains(name)) continue;
    SupportCount& sum = before[std::move(name)];
    sum.supported += count.supported;
    sum.total += count.total;
  }
  std::vector<std::string> lost;
  for (const auto& [name, count] : before) {
    if (count.supported == 0) continue;
    lost.push_back(fmt::format("{}: {} cases before, now the backend declares neither the operator nor a dialect of it",
                               name, CountText(count)));
  }
  return lost;
}

}  // namespace

PinnedSupport PinnedSupportOf(const SupportMap& map) {
  PinnedSupport pinned;
  for (const auto& [support_class, support] : map.classes) pinned[SupportClassText(support_class)] = support.count;
  return pinned;
}

std::string PinnedSupportText(const PinnedSupport& pinned, const std::string& backend) {
  const auto quoted = [](const std::string& text) { return JsonText(json(text)); };
  std::string text =
      fmt::format("{{\n  \"support_map\": {},\n  \"backend\": {},\n  \"classes\": {{", kVersion, quoted(backend));
  const char* separator = "\n";
  for (const auto& [class_text, count] : pinned) {
    text += fmt::format("{}    {}: [{}, {}]", separator, quoted(class_text), count.supported, count.total);
    separator = ",\n";
  }
  return text + "\n  }\n}\n";
}

std::variant<PinnedSupport, std::string> ReadPinnedSupport(std::string_view text) {
  const json object = ParseJsonIfValid(text);
  if (!object.is_object()) return std::string("expected a JSON object, as --update-support-map writes it");
  return CatchJsonError([&] { return ReadSupport(object); });
}

SupportChanges CompareSupport(const PinnedSupport& pinned, const SupportMap& now) {
  SupportChanges changes;
  changes.lost = LostOperators(pinned, now);
  std::size_t cases = 0;
  for (const auto& [text, count] : pinned) cases += count.total;
  const bool same_cases = cases == now.all.total;
  for (const auto& [support_class, support] : now.classes) {
    const std::string text = SupportClassText(support_class);
    const auto before = pinned.find(text);
    if (before == pinned.end()) {
      if (same_cases && support.count.supported != 0) {
        changes.gained.push_back(fmt::format("{}: {} cases, not in the file", text, CountText(support.count)));
      }
      continue;
    }
    if (HasLost(before->second, support.count)) {
      changes.lost.push_back(fmt::format("{}: {} cases before, now {}: {}; {}", text, CountText(before->second),
                                         CountText(support.count), support.reason, support.line));
    } else if (HasGained(before->second, support.count)) {
      changes.gained.push_back(
          fmt::format("{}: {} cases before, now {}", text, CountText(before->second), CountText(support.count)));
    }
  }
  return changes;
}

}  // namespace conformance
