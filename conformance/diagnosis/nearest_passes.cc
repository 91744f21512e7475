// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Minimizes a failing case, and compares it with the simpler cases that pass.

#include "conformance/diagnosis/nearest_passes.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "conformance/case/minimize_case.h"
#include "conformance/case/sketch.h"
#include "oracle/resolve.h"

namespace conformance {
namespace {

constexpr std::size_t kMostTold = 4;

std::vector<std::string> FieldsOf(const Case& test_case) {
  const std::string line = ToLine(test_case);
  std::vector<std::string> fields;
  for (std::size_t from = 0; from <= line.size();) {
    const std::size_t to = std::min(line.find(':', from), line.size());
    fields.push_back(line.substr(from, to - from));
    from = to + 1;
  }
  return fields;
}

std::string NameOf(const std::string& field) { return field.substr(0, field.find('=')); }

struct Change {
  std::string names;  ///< of the fields: "data dst_shape"
  std::string text;   ///< "data=1,1,1 and dst_shape=1,1,3"; a field that is gone is "no pads_end"
};

Change ChangeOf(const Case& from, const Case& to) {
  const std::size_t axes = to.op.data.dims.size() - 2;
  if (to.op.data.dims.size() != from.op.data.dims.size()) {
    return {.names = "axes", .text = fmt::format("{} spatial ax{}s", axes, axes == 1 ? "i" : "e")};
  }
  const std::vector<std::string> before = FieldsOf(from), after = FieldsOf(to);
  Change change;
  const auto add = [&](const std::string& field, const std::string& words) {
    change.names += NameOf(field) + " ";
    change.text += (change.text.empty() ? "" : " and ") + words;
  };
  for (const std::string& field : after) {
    if (std::ranges::find(before, field) == before.end()) add(field, field);
  }
  for (const std::string& field : before) {
    const bool stays = std::ranges::find(after, NameOf(field), NameOf) != after.end();
    if (stays || field == before.front()) continue;
    // A case line leaves out the type f32.
    add(field, NameOf(field) == "type" ? "type=f32" : "no " + NameOf(field));
  }
  return change;
}

/// Whether the dialect computes the operator, and its tensors are small. Without its pads an operator may have
/// gigabytes of output.
bool IsSmallOperator(const Case& test_case, oracle::Dialect dialect) {
  constexpr std::int64_t kMostElements = 1 << 16;
  const auto resolution = oracle::Resolve(test_case.op, dialect, oracle::StepTexts::kLeftOut);
  if (!resolution.ok()) return false;
  const oracle::Geometry& geometry = *resolution.geometry;
  return std::max({geometry.OutputCount(), geometry.DataCount(), geometry.FilterCount()}) <= kMostElements;
}

}  // namespace

std::string NearestPasses(const KnownCase& failing, const ConditionSearch& search) {
  std::map<std::string, std::optional<bool>> known = {{ToLine(failing.test_case), true}};
  std::size_t asked = 0;
  // A quarter of the questions is left for the operators that pass.
  std::size_t most = std::max<std::size_t>(1, search.questions / 4 * 3);
  const auto fails = [&](const Case& test_case) -> std::optional<bool> {
    const std::string line = ToLine(test_case);
    if (const auto at = known.find(line); at != known.end()) return at->second;
    if (asked >= most || !IsSmallOperator(test_case, failing.dialect)) return std::nullopt;
    ++asked;
    return known[line] = search.ask(test_case);
  };
  const MinimizedCase minimized =
      MinimizeCase(failing.test_case, [&](const Case& test_case) { return fails(test_case) == std::optional(true); },
                   {.time = std::chrono::hours(1), .runs = 10 * search.questions});
  most = std::max<std::size_t>(1, search.questions) - 1;  // one is left to ask about the smallest operator again
  // Simpler cases come in the order of the distance, the nearest last. Of each field the nearest change is told.
  std::vector<Change> changes;
  for (const Case& simpler : SimplerCases(minimized.smallest)) {
    if (fails(simpler) != std::optional(false)) continue;
    Change change = ChangeOf(minimized.smallest, simpler);
    std::erase_if(changes, [&](const Change& other) { return other.names == change.names; });
    changes.push_back(std::move(change));
  }
  const std::string smallest = ToLine(minimized.smallest);
  // An operator that passes when it is asked again fails by chance. Then its neighbours pass by chance, too.
  if (!changes.empty() && search.ask(minimized.smallest) == std::optional(false)) changes.clear();
  if (changes.empty() && smallest == ToLine(failing.test_case)) return "";
  std::string text = fmt::format("the smallest operator that was found to fail so is {}{}", smallest,
                                 changes.empty() ? "" : "; it passes");
  const std::size_t first = changes.size() - std::min(kMostTold, changes.size());
  for (std::size_t i = first; i < changes.size(); ++i) {
    text += fmt::format("{} with {}", i == first ? "" : ", or", changes[i].text);
  }
  return text;
}

std::string CaseBefore(const Case& failing, const std::function<std::optional<bool>(const Case&)>& ask) {
  auto sketch = SketchOf(failing);
  if (!sketch) return "";
  ++sketch->in;  // one more channel changes the outputs, and not their count
  for (std::size_t i = 0; i < kMostQuestionsOfCaseBefore / 2; ++i) {
    // Some backends multiply the old content of the output by 0. Then only old infinities and NaN change the output.
    const bool is_float = oracle::IsFloat(sketch->type());
    sketch->base_case.values = is_float && i % 2 == 1 ? DataSet::kSpecials : DataSet::kIntegers;
    const Case before = CaseOf(*sketch);
    ask(before);
    if (ask(failing) == std::optional(true)) return ToLine(before);
  }
  return "";
}

}  // namespace conformance
