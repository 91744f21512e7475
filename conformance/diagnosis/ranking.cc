// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes likenesses from the resemblance on failures and the contradictions on passes.

#include "conformance/diagnosis/ranking.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "conformance/diagnosis/class_evidence.h"

namespace conformance {
namespace {

// The likeness of a hypothesis that contradicts a share c of the passes is multiplied by (1 - c)^8: a tenth of them
// costs half, since a class of defects shows above all in what still works.
constexpr double kContradictionPower = 8;
// Hypotheses below this are left out: failures of the same kind at the same places have 0.1 squared and more.
constexpr double kLeastLikeness = 0.02;

// The support of a class is multiplied by the first number and added to its vote. If a needed feature is missing, the
// vote is multiplied by the second number. Both were chosen with a third of the planted faults.
constexpr double kWeightOfSupport = 0.4;
constexpr double kWeightAgainst = 0.6;

double LikenessToBackend(Evidence& evidence, std::size_t h, const RankingInput& input) {
  // Squared: half of the failures right are worth more than all of them half right.
  double likeness = 0;
  for (const std::size_t t : input.failures) likeness += std::pow(evidence.ResemblanceOf(h, t), 2);
  likeness /= static_cast<double>(input.failures.size());
  const std::size_t passes = std::min(kRankedPasses, input.passes.size());
  if (likeness < kLeastLikeness || passes == 0) return likeness;
  // Spread over all of them: the first ones are computed, the last ones invalid.
  double contradictions = 0;
  for (std::size_t i = 0; i < passes; ++i) {
    contradictions += evidence.Contradicts(h, input.passes[i * input.passes.size() / passes]) ? 1 : 0;
  }
  return likeness * std::pow(1 - contradictions / static_cast<double>(passes), kContradictionPower);
}

}  // namespace

std::vector<Ranked> RankHypotheses(Evidence& evidence, const RankingInput& input) {
  std::vector<Ranked> ranking;
  for (std::size_t h = 0; h < evidence.hypotheses(); ++h) {
    if (input.late()) break;
    if (input.without.contains(evidence.hypothesis(h).fault().name)) continue;
    const double likeness = LikenessToBackend(evidence, h, input);
    if (likeness >= kLeastLikeness) ranking.push_back({likeness, h});
  }
  std::ranges::sort(ranking, [](const Ranked& one, const Ranked& other) {
    return one.likeness != other.likeness ? one.likeness > other.likeness : one.hypothesis < other.hypothesis;
  });
  return ranking;
}

std::string_view LikeliestClass(Evidence& evidence, const std::vector<Ranked>& ranking,
                                const std::vector<const Trial*>& failures, const std::vector<const Trial*>& passes,
                                const ClassSupport& support) {
  std::map<std::string_view, double> votes;
  for (const Ranked& ranked : ranking) {
    votes.try_emplace(evidence.hypothesis(ranked.hypothesis).fault().mutant_class, ranked.likeness);
  }
  for (auto& [mutant_class, vote] : votes) {
    const auto found = support.find(mutant_class);
    if (found == support.end()) continue;
    vote = found->second == kAgainst ? kWeightAgainst * vote : vote + kWeightOfSupport * found->second;
  }
  if (const auto found = ClassEvidenceOf(failures, passes)) votes[found->mutant_class] += found->weight;
  const auto most = std::ranges::max_element(votes, {}, [](const auto& vote) { return vote.second; });
  return most == votes.end() ? std::string_view() : most->first;
}

}  // namespace conformance
