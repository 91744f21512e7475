// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Judges stored outputs again with looser declarations of arithmetic, and proposes the declaration that makes the most
// topics right for each element type. Arithmetic that all types have in common is proposed once for all types.
// Example: f16 fails topic kChannelSums and passes all others. "Sums in f16" makes that topic right and spoils no right
// case, so it is proposed.

#include "conformance/cli/doctor/arithmetic_check.h"

#include <algorithm>
#include <set>
#include <utility>

#include "conformance/interface/describe_operator.h"
#include "conformance/verdict/compare.h"
#include "conformance/verdict/excusing_word.h"

namespace conformance {

using oracle::ElementType;

void ArithmeticCheck::Add(const ArithmeticCase& tried, bool is_right, std::vector<Bytes> outputs) {
  if (outputs.empty()) return;
  JudgedOutputs& kept = tried_.emplace_back(JudgedOutputs{tried.topic, tried.suite_case, is_right, std::move(outputs)});
  Case& test_case = kept.suite_case.test_case;
  test_case.dialect = declared_.JudgingDialect(test_case.op, test_case.EffectiveDialect());
}

std::vector<bool> ArithmeticCheck::IsRightByEach(const JudgedOutputs& tried,
                                                 std::span<const Capabilities* const> declarations, Values values) {
  const Case& test_case = tried.suite_case.test_case;
  std::vector<bool> right(declarations.size(), false);
  const oracle::Resolution& resolution = setup_.Resolve(test_case.op, test_case.EffectiveDialect());
  if (!resolution.ok() || !setup_.SetUp(test_case, *resolution.geometry).empty()) return right;
  for (std::size_t i = 0; i < declarations.size(); ++i) {
    right[i] = std::ranges::all_of(tried.outputs, [&](const Bytes& output) {
      // A declaration that allows any value of an output does not explain a wrong value.
      return CompareBriefly(setup_.expected(), output, *declarations[i]).ok() &&
             (values == Values::kMayBeAny || Explains(setup_.expected(), output, declared_, *declarations[i]));
    });
  }
  return right;
}

ArithmeticCheck::Tested ArithmeticCheck::Test(const Capabilities& tested) {
  Tested result;
  const Capabilities* const declarations[] = {&tested};
  std::set<ElementType> explained;
  for (const JudgedOutputs& tried : tried_) {
    const bool right = IsRightByEach(tried, declarations).front();
    if (!tried.is_right && right) {
      result.excused.insert(tried.suite_case.name);
      explained.insert(tried.type());
    }
    result.spoils = result.spoils || (tried.is_right && !right);
  }
  // If f32 explains smaller sums of an integer type, it explains those beyond the type's range, too.
  for (const JudgedOutputs& tried : tried_) {
    const bool in_f32 = explained.contains(tried.type()) && tested.ComputesInF32(tried.type());
    if (!tried.is_right && in_f32 && IsRightByEach(tried, declarations, Values::kMayBeAny).front()) {
      result.excused.insert(tried.suite_case.name);
    }
  }
  return result;
}

/// Returns the looser declaration of one type that explains the most topics. The list is ordered by the number of
/// changes, so of several best declarations the one with the fewest changes wins.
Capabilities ArithmeticCheck::ProposalFor(ElementType type) {
  const std::vector<LooserDeclaration> looser = LooserDeclarations(declared_, type);
  std::vector<const Capabilities*> declarations;
  for (const LooserDeclaration& declaration : looser) declarations.push_back(&declaration.declared);
  std::set<ArithmeticTopic> failing;  // topics with a wrong case
  std::vector<std::set<ArithmeticTopic>> wrong(looser.size());
  std::vector<bool> spoils(looser.size(), false);
  for (const JudgedOutputs& tried : tried_) {
    if (tried.type() != type) continue;
    if (!tried.is_right) failing.insert(tried.topic);
    const std::vector<bool> right = IsRightByEach(tried, declarations);
    for (std::size_t i = 0; i < looser.size(); ++i) {
      if (right[i]) continue;
      wrong[i].insert(tried.topic);
      spoils[i] = spoils[i] || tried.is_right;
    }
  }
  std::size_t most = 0;
  const Capabilities* best = &declared_;
  for (std::size_t i = 0; i < looser.size(); ++i) {
    // A backend that is wrong in exact sums or in single products has a defect, which a wide bound may hide elsewhere.
    if (spoils[i] || wrong[i].contains(ArithmeticTopic::kBase)) continue;
    const auto explained = static_cast<std::size_t>(
        std::ranges::count_if(failing, [&](ArithmeticTopic topic) { return !wrong[i].contains(topic); }));
    if (explained <= most) continue;
    most = explained;
    best = &looser[i].declared;
  }
  return *best;
}

/// Returns the proposal, with arithmetic that all declared types have in common moved to the members for all types.
Capabilities ArithmeticCheck::Joined(const Capabilities& proposal) const {
  std::vector<ElementType> floats;
  bool all_saturate = true;
  for (const ElementType type : oracle::kNumericTypes) {
    if ((declared_.element_types >> ElementTypeId(type) & 1) == 0) continue;
    if (oracle::IsFloat(type)) {
      floats.push_back(type);
    } else {
      all_saturate = all_saturate && proposal.Saturates(type);
    }
  }
  const auto holds_for_all_floats = [&](auto predicate) {
    return !floats.empty() &&
           std::ranges::all_of(floats, [&](ElementType type) { return predicate(proposal.ArithmeticFor(type)); });
  };
  Capabilities joined = proposal;
  joined.arithmetic = declared_.arithmetic;
  if (holds_for_all_floats([](const FloatArithmetic& one) { return one.subnormals == DECONV_SUBNORMALS_FLUSHED; })) {
    joined.subnormals = DECONV_SUBNORMALS_FLUSHED;
  }
  if (holds_for_all_floats([](const FloatArithmetic& one) { return one.rounding == DECONV_ROUNDING_FAITHFUL; })) {
    joined.faithful_rounding = true;
  }
  for (const ElementType type : floats) joined = WithArithmetic(joined, type, proposal.ArithmeticFor(type));
  if (proposal.saturating_types != 0 && all_saturate) {
    joined.overflow = DECONV_OVERFLOW_SATURATES;
    joined.saturating_types = 0;
  }
  return joined;
}

Capabilities ArithmeticCheck::Proposal() {
  std::set<ElementType> failing;
  for (const JudgedOutputs& tried : tried_) {
    if (!tried.is_right) failing.insert(tried.type());
  }
  Capabilities proposal = declared_;
  for (const ElementType type : failing) {
    const Capabilities found = ProposalFor(type);
    if (oracle::IsFloat(type)) proposal = WithArithmetic(std::move(proposal), type, found.ArithmeticFor(type));
    proposal.known_deviations |= found.known_deviations;
    proposal.saturating_types |= found.saturating_types;
    proposal.types_in_f32 |= found.types_in_f32;
  }
  proposal = Joined(proposal);
  return Test(proposal).Supports() ? proposal : declared_;
}

}  // namespace conformance
