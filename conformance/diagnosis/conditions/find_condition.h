// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the condition under which a backend fails: a statement that is true of failing cases only. It learns a
// condition from the cases of a run, asks the backend about new cases on both sides of the boundary, and learns again
// until the condition predicts the answers.
//
// Example: a backend fails for every kernel of at least 4. In the run, kernels 2 and 3 pass; 9 and 11 fail.
//   Learn: the narrowest threshold that holds all failures is kernel >= 9.
//   Ask:   the nearest number beyond it is 3, and half way lies 6. Kernel 6 fails, against the prediction.
//   Learn: kernel >= 6. Ask: half way between 3 and 6 lies 4. Kernel 4 fails.
//   Learn: kernel >= 4. No number lies between 3 and 4, and new cases on both sides now agree.

#ifndef DECONV_CONFORMANCE_DIAGNOSIS_CONDITIONS_FIND_CONDITION_H_
#define DECONV_CONFORMANCE_DIAGNOSIS_CONDITIONS_FIND_CONDITION_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "conformance/diagnosis/conditions/condition.h"

namespace conformance {

/// A case of the run with its verdict.
struct KnownCase {
  Case test_case;
  oracle::Dialect dialect;  ///< the dialect that judged the case
  bool fails = false;
  std::string implementation = {};  ///< that the backend named for it
};

/// The form in which a report tells a condition.
enum class ToldAs {
  kNothing,   ///< it only predicts cases
  kOneCause,  ///< the confirmed alternatives, as one cause
  kCauses,    ///< each confirmed alternative as a cause, and the failures for which none is true as one more
};

struct ConditionSearch {
  const Capabilities& declared;
  /// Runs the case on the backend and returns whether it fails. nullopt if the case was not judged, or proves nothing.
  std::function<std::optional<bool>(const Case&)> ask;
  std::function<bool()> late;       ///< whether the time is up, which ends the search
  std::size_t questions = 100'000;  ///< the most cases about which the backend is asked
  std::uint64_t seed = 1;
  ToldAs told = ToldAs::kNothing;
};

/// The search ends if so many new cases in a row have no verdict.
inline constexpr std::size_t kMostWithoutVerdict = 500;

/// Searches among the cases that the dialect computes. Returns nothing if no case fails, or if no condition separates
/// failures from passes. If no case passes, the condition is always true.
std::optional<Condition> FindCondition(std::span<const KnownCase> known, const ConditionSearch& search);

/// How a condition predicts new cases.
struct Prediction {
  std::size_t inside = 0;         ///< new cases for which the condition is true
  std::size_t inside_right = 0;   ///< of them: cases that fail, as predicted
  std::size_t outside = 0;        ///< new cases for which it is not true, most of them just beyond its boundary
  std::size_t outside_right = 0;  ///< of them: cases that pass, as predicted

  std::size_t asked() const { return inside + outside; }
  std::size_t wrong() const { return asked() - inside_right - outside_right; }
};

/// Asks the backend about `each_side` new cases on either side of the condition's boundary. A case outside is made from
/// a case inside by changing one to three fields. If too few can be made so, half of the others are made from any case.
/// No case of `known`, and no case of the search for the condition, is asked again.
Prediction PredictNewCases(const Condition& condition, std::span<const KnownCase> known, std::size_t each_side,
                           const ConditionSearch& search);

/// Whether `enough` new cases pass that are made from failures and do not satisfy the condition. False as soon as one
/// of them fails. So the condition says why these cases fail, and is not true of them by chance.
bool PassOutside(const Condition& condition, std::span<const KnownCase> failures, std::size_t enough,
                 const ConditionSearch& search);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_DIAGNOSIS_CONDITIONS_FIND_CONDITION_H_
