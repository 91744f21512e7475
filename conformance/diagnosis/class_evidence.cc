// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Maps each failure to the class to which it points, and takes the class of more than half of the failures.

#include "conformance/diagnosis/class_evidence.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <map>
#include <ranges>
#include <string>

#include "conformance/diagnosis/value_class.h"

namespace conformance {
namespace {

// So many cases in a row, and then as many failures, are no chance.
constexpr std::size_t kLongRow = 8;
// The clauses that refuse sizes and formulas beyond 63 bits.
constexpr std::array<std::string_view, 2> kOverflowClauses = {"O1", "O2"};

bool HasZeroSize(const Trial& trial) {
  const oracle::Operator& op = trial.prepared->test_case.op;
  return std::ranges::find(op.data.dims, 0) != op.data.dims.end() ||
         std::ranges::find(op.filter.dims, 0) != op.filter.dims.end();
}

std::string_view ClassOfDeath(const Trial& trial) {
  const std::string& death =
      trial.behaviour.calls.empty() ? trial.behaviour.verdict.message : trial.behaviour.calls[trial.failed_call].death;
  const auto signalled = [&](int number) { return death.find(strsignal(number)) != std::string::npos; };
  if (signalled(SIGFPE)) return "Z1";
  if (signalled(SIGSEGV) || signalled(SIGBUS)) return "M1";
  return death.starts_with("exited") ? "R1" : std::string_view();
}

/// An operator is accepted although its sizes overflow, or although another clause refuses it.
std::string_view ClassOfAccepted(const Trial& trial) {
  const auto& refusal = trial.prepared->resolution.refusal;
  return refusal && std::ranges::find(kOverflowClauses, refusal->clause) != kOverflowClauses.end() ? "I1" : "V1";
}

std::string_view ClassOf(const Trial& trial) {
  if (trial.behaviour.verdict.failure == FailureClass::kAcceptedInvalid) return ClassOfAccepted(trial);
  if (HasZeroSize(trial)) return "Z1";
  if (trial.behaviour.verdict.facts.adds_to_old_contents) return "R2";
  switch (trial.behaviour.verdict.failure) {
    case FailureClass::kOutOfBounds:
    case FailureClass::kModifiedInput:
      return "M1";
    case FailureClass::kStructuralNan:
      return "A39";
    case FailureClass::kHang:
      return "R1";
    case FailureClass::kNondeterministic:
      return trial.behaviour.verdict.facts.threads_differ ? "R1" : "R2";
    case FailureClass::kCrash:
      return ClassOfDeath(trial);
    default:
      break;
  }
  // Outputs that are right in the first run and wrong in the next.
  if (trial.failed_call > 0 && !trial.wrong.empty()) return "R2";
  if (const std::string_view of_values = ClassOfValues(trial); !of_values.empty()) return of_values;
  if (trial.behaviour.verdict.failure == FailureClass::kWrongNan) return "N2";
  return trial.behaviour.verdict.failure == FailureClass::kAccumulator ? "E1" : std::string_view();
}

/// Whether every case passes up to some place in the run, and no case from there on. Trials may be in any order.
bool BreaksForGood(std::span<const Trial* const> failures, std::span<const Trial* const> passes) {
  const auto place = [](const Trial* trial) { return trial->result; };
  return failures.size() >= kLongRow && passes.size() >= kLongRow &&
         std::ranges::max(passes | std::views::transform(place)) <
             std::ranges::min(failures | std::views::transform(place));
}

}  // namespace

std::optional<ClassEvidence> ClassEvidenceOf(std::span<const Trial* const> failures,
                                             std::span<const Trial* const> passes) {
  if (BreaksForGood(failures, passes)) return ClassEvidence{"R2", 1};
  std::map<std::string_view, std::size_t> counts;
  for (const Trial* trial : failures) {
    if (const std::string_view known = ClassOf(*trial); !known.empty()) ++counts[known];
  }
  for (const auto& [mutant_class, count] : counts) {
    if (2 * count > failures.size()) {
      const bool others_do = mutant_class == "N2" || mutant_class == "R1";
      return ClassEvidence{mutant_class,
                           (others_do ? 0.5 : 1) * static_cast<double>(count) / static_cast<double>(failures.size())};
    }
  }
  return std::nullopt;
}

}  // namespace conformance
