// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// A condition: the statements about features that are true of the cases that fail and of no case that passes.

#ifndef DECONV_CONFORMANCE_CONDITIONS_CONDITION_H_
#define DECONV_CONFORMANCE_CONDITIONS_CONDITION_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "conformance/conditions/feature.h"

namespace conformance {

enum class Relation { kEqual, kNotEqual, kAtLeast, kAtMost, kRemainder, kOtherRemainder };

/// One statement about a feature.
struct Term {
  bool of_axis = false;  ///< a feature of an axis, else of the whole case
  std::size_t feature = 0;
  Relation relation = Relation::kEqual;
  std::int64_t value = 0;
  std::int64_t modulus = 0;  ///< of remainders

  bool Holds(std::int64_t number) const;
  /// By a list of names of its own, as places have.
  std::string Text(const std::vector<Feature>& names) const;
  std::string Text() const;
  double Cost() const;
  bool OfValues() const;

  bool operator==(const Term&) const = default;
};

/// All of its terms hold. The terms of axes hold together on one axis.
struct Conjunction {
  std::vector<Term> terms;

  bool Holds(const FeatureRow& row) const;
  /// How many terms do not hold, as far as that can be said term by term.
  std::size_t Violated(const FeatureRow& row) const;
  /// "batch >= 3 and, on one axis, kernel >= 4 and stride == 2"
  std::string Text() const;
  bool OfValues() const;

  bool operator==(const Conjunction&) const = default;
};

/// One of the alternatives of a condition, and how well it is established.
struct Alternative {
  Conjunction conjunction;
  std::size_t failures = 0;   ///< of the run for which it is true
  std::size_t passes = 0;     ///< of the run for which it is true
  std::size_t confirmed = 0;  ///< new cases inside of it that failed
  std::size_t refuted = 0;    ///< new cases inside of it that passed
};

struct Condition {
  bool invalid = false;   ///< about operators that the dialect refuses; else about those that it computes
  Capabilities declared;  ///< of the backend
  bool plain = false;     ///< learned from the data sets integers and taps alone, which show every wrong index
  std::vector<Alternative> alternatives;
  std::size_t failures = 0;  ///< of the run, of this kind
  std::size_t passes = 0;
  std::size_t asked = 0;   ///< new cases that were run on the backend
  std::size_t agreed = 0;  ///< of the last `checked` of them: those for which the condition said what the backend did
  std::size_t checked = 0;
  bool settled = false;  ///< the last cases all agreed; else time was up
  double seconds = 0;

  bool Holds(const FeatureRow& row) const;
  /// It is true of every operator that is computed (or, if `invalid`, refused): nothing lies beyond its boundary.
  bool Always() const;
  bool OfValues() const;
};

/// The features of a case that the condition speaks of.
FeatureRow FeaturesIn(const Condition& condition, const Case& test_case, oracle::Dialect dialect);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CONDITIONS_CONDITION_H_
