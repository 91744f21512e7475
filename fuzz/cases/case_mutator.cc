// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Decides by chance how a case is changed, and calls the functions of conformance/case/ that do it: draw a case, change
// its fields, make it valid and small enough ("fit"), or make it invalid on purpose ("corrupt").

#include "fuzz/cases/case_mutator.h"

#include <optional>
#include <vector>

#include "conformance/case/draw_case.h"
#include "conformance/case/sketch.h"
#include "fuzz/cases/case_input.h"
#include "oracle/resolve.h"

namespace fuzz {
namespace {

using conformance::Case;
using conformance::CaseLimits;
using conformance::Sketch;

std::string Joined(const std::vector<std::string>& parts, char separator) {
  std::string text;
  for (const std::string& part : parts) text.append(part).push_back(separator);
  if (!text.empty()) text.pop_back();
  return text;
}

}  // namespace

std::string CaseMutator::Draw() {
  // One of 48 cases is large, because it takes the time of several small ones.
  CaseLimits limits = CaseLimits().Large();
  if (!random().OneIn(48)) {  // the others have the usual limits, a half, a quarter or an eighth of them
    const std::size_t shift = random().Below(4);
    limits = {.outputs = CaseLimits().outputs >> shift, .products = CaseLimits().products >> shift};
  }
  const Case drawn = DrawCase(random(), {.limits = limits});
  return random().OneIn(4) ? Corrupted(drawn) : ToLine(drawn);
}

std::string CaseMutator::Mutate(std::string_view line) {
  const auto from = CaseOfText(line);
  const std::size_t draw = random().Below(32);
  // Of 32 mutations, 15 draw a new case, 15 change fields, and 2 corrupt the case. Planted faults are found in fewer
  // executions than if a quarter were drawn anew (campaigns.md).
  if (!from || draw < 15) return Draw();
  return draw < 30 ? Changed(*from, nullptr) : Corrupted(*from);
}

// A corrupted case may still be valid. If it is valid and too large, the result is the case as it was.
std::string CaseMutator::Corrupted(const Case& from) {
  Case corrupted = from;
  CorruptCase(corrupted, random());
  return ToLine(IsTooLarge(corrupted) ? from : corrupted);
}

std::string CaseMutator::CrossOver(std::string_view one, std::string_view other) {
  const auto first = CaseOfText(one);
  const auto second = CaseOfText(other);
  const auto sketch = second ? SketchOf(*second) : std::nullopt;
  return first && sketch ? Changed(*first, &*sketch) : Mutate(one);
}

std::string CaseMutator::Changed(const Case& from, const Sketch* other) {
  auto sketch = SketchOf(from);
  // A case whose lists have different lengths, such as two strides for one axis, has no sketch. Then only one number or
  // list is changed.
  if (!sketch) {
    Case changed = changer_.WithOneNumberChanged(from);
    SettleTypes(changed);
    return ToLine(IsTooLarge(changed) ? from : changed);
  }
  const Sketch parent = *sketch;
  const oracle::Resolution resolution = oracle::Resolve(from.op, from.EffectiveDialect(), oracle::StepTexts::kLeftOut);
  // One change in half of the mutations, two in a quarter, and so on up to six. So a case that differs in several
  // fields at once is also reached.
  std::size_t left = 1;
  while (left < 6 && random().OneIn(2)) ++left;
  for (; left != 0; --left) {
    if (other != nullptr) {
      changer_.CopyFields(*sketch, *other);
    } else {
      changer_.ChangeOneField(*sketch, parent);
    }
  }
  if (resolution.geometry) {
    const bool large = Exceeds(*resolution.geometry, CaseLimits());
    FitSketch(*sketch, large ? CaseLimits().Large() : CaseLimits());
  }
  Case changed = CaseOf(*sketch);
  SettleTypes(changed);
  // An invalid case was not fitted. If it has become valid and too large, the result is the case as it was.
  return ToLine(!resolution.geometry && IsTooLarge(changed) ? from : changed);
}

std::string CaseMutator::MutateWords(std::string_view line, const InputForm& form) {
  std::vector<std::string> words;
  for (const std::string_view word : Split(line, ' ')) {
    if (!word.empty()) words.emplace_back(word);
  }
  for (std::size_t left = 1 + random().Below(4); left != 0; --left) {
    const auto at = words.begin() + static_cast<std::ptrdiff_t>(random().Below(words.size() + 1));
    const std::size_t draw = random().Below(4);
    if (at == words.end() || draw == 0) {
      words.insert(at, form.draw_word(random()));
    } else if (draw == 1) {
      words.erase(at);
    } else if (draw == 2) {
      *at = form.draw_word(random());
    } else {
      at->swap(words[random().Below(words.size())]);
    }
  }
  return Joined(words, ' ');
}

std::string CaseMutator::MutateLines(std::string_view input, const InputForm& form) {
  const std::vector<std::string_view> old = Split(input, '\n');
  std::vector<std::string> lines(old.begin(), old.end());
  lines.resize(1 + form.cases);
  if (random().OneIn(2)) {
    lines[0] = MutateWords(lines[0], form);
  } else {
    std::string& line = lines[1 + random().Below(form.cases)];
    line = Mutate(line);
  }
  return Joined(lines, '\n');
}

}  // namespace fuzz
