// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// A condition: alternatives, each a conjunction of statements about features of a case. It is true of the failures of
// one cause and of hardly any case that passes. Example: "kernel >= 4 and stride == 2".

#ifndef DECONV_CONFORMANCE_DIAGNOSIS_CONDITIONS_CONDITION_H_
#define DECONV_CONFORMANCE_DIAGNOSIS_CONDITIONS_CONDITION_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/diagnosis/conditions/feature.h"

namespace conformance {

/// New cases that test a claim. The claim is that the backend fails all cases inside of it, and passes all others.
struct NewCases {
  std::size_t inside = 0;
  std::size_t inside_failed = 0;
  std::size_t outside = 0;
  std::size_t outside_failed = 0;

  std::size_t total() const { return inside + outside; }
  void Add(bool is_inside, bool failed) {
    ++(is_inside ? inside : outside);
    (is_inside ? inside_failed : outside_failed) += failed ? 1 : 0;
  }
  /// Whether the counts confirm the claim: at least three cases on each side, at least nine of ten inside fail, and at
  /// most one of ten outside. `has_outside`: false for a claim about all cases, which leaves no cases outside.
  bool IsConfirmed(bool has_outside = true) const {
    return inside >= 3 && (!has_outside || outside >= 3) && 10 * inside_failed >= 9 * inside &&
           10 * outside_failed <= outside;
  }
};

enum class Relation { kEqual, kNotEqual, kAtLeast, kAtMost, kRemainder, kOtherRemainder };

/// One statement about a feature.
struct Term {
  bool of_axis = false;  ///< a feature of an axis, else of the whole case
  std::size_t feature = 0;
  Relation relation = Relation::kEqual;
  std::int64_t value = 0;
  std::int64_t modulus = 0;  ///< for remainders: feature % modulus == value

  bool Holds(std::int64_t number) const;
  std::string Text(const std::vector<Feature>& names) const;
  bool OfValues() const;

  bool operator==(const Term&) const = default;
};

/// A conjunction is true if all of its terms are true. All terms of axes must be true of the same axis. Example: kernel
/// >= 4 and stride == 2. It is false for kernel 5,3 and strides 1,2, because no axis satisfies both terms.
struct Conjunction {
  std::vector<Term> terms;

  bool Holds(const FeatureRow& row) const;
  /// The indices of the false terms. Terms of axes are evaluated on the axis that has the fewest false terms.
  std::vector<std::size_t> FalseTerms(const FeatureRow& row) const;
  /// "batch >= 3 and, on one and the same axis, kernel >= 4 and stride == 2"
  std::string Text() const;
  /// The text with names of another table of features, such as the coordinates of outputs.
  std::string Text(const FeatureTable& names) const;
  bool OfValues() const;

  bool operator==(const Conjunction&) const = default;
};

/// One of the alternatives of a condition, and how well it is established.
struct Alternative {
  Conjunction conjunction;
  std::size_t confirmed = 0;  ///< new cases inside of it that failed, made after it was learned
  std::size_t refuted = 0;    ///< new cases inside of it that passed, made after it was learned
  /// New cases outside of it, made after it was learned. Those inside of an alternative that is not refuted do not
  /// count.
  std::size_t outside = 0;
  std::size_t outside_failed = 0;
  std::size_t learned_at = 0;      ///< the number of cases that the search knew when it was learned
  std::string passes_inside = {};  ///< the line of a new case inside of it that passed, or empty
  bool supported = false;          ///< new cases support each of its statements (IsSupported in support.h)
  /// " (not tried: 20 to 31)": numbers of values just beyond a threshold that no known case has. Else empty.
  std::string not_tried = {};
  bool has_wide_gap = false;  ///< these numbers leave a threshold open by a factor of more than 2
  /// Facts that all known cases inside of the alternative share, such as "kernel == 1 on every axis". Other cases could
  /// lie inside, too, but none of them was run, or none had a verdict.
  std::vector<std::string> tried_only = {};

  /// "kernel >= 4 (not tried: 2 to 3) (tried only with batch == 1)"
  std::string Text() const;
};

/// From here on a number is large: random changes of cases hardly reach it. A guess.
inline constexpr std::int64_t kLargeNumber = 4096;

/// The most statements of a conjunction. A reader cannot use more, and they fit by chance.
inline constexpr std::size_t kMostStatements = 3;

/// The least number of new cases inside of a conjunction that confirm it.
std::size_t LeastInside(const Conjunction& conjunction);

/// Why the search for a condition ended.
enum class SearchEnd {
  kSettled,      ///< the last new cases agreed with the condition
  kInterrupted,  ///< interrupted, or the time was up
  kBudget,       ///< no further question may be asked
  kNoNewCases,   ///< no further new case could be made
  kNoVerdicts,   ///< the backend's answers to many new cases in a row proved nothing
};

struct Condition {
  Capabilities declared;  ///< of the backend
  bool plain = false;     ///< learned from the data sets integers and taps alone, which show every wrong index
  /// The condition is true of a case if at least one alternative is true of it.
  std::vector<Alternative> alternatives;
  std::vector<std::string> asked_lines;  ///< the lines of the cases about which the backend was asked
  std::size_t asked = 0;                 ///< how many of these cases got a verdict
  std::size_t checked = 0;  ///< of these: the last ones, at most 750, that were made after the condition was learned
  std::size_t agreed = 0;   ///< how many of the `checked` cases the condition predicted rightly
  NewCases tested;          ///< new cases that were made after the condition was learned
  SearchEnd end = SearchEnd::kInterrupted;

  /// The new cases that test one alternative: those inside of it, and those outside of all that are not
  /// refuted.
  NewCases TestsOf(const Alternative& alternative) const;
  /// Whether these cases confirm the alternative, and it has at most three statements without inexact large numbers:
  /// nearly all inside of it fail, all outside pass, and each of its statements is supported. Several statements
  /// fit a few failures by chance. So there must be more cases inside of it the more statements it has.
  bool IsConfirmed(const Alternative& alternative) const;
  /// Whether new cases inside of the alternative pass, so that it is too wide: with plain values a single one.
  bool IsRefuted(const Alternative& alternative) const;
  bool settled() const { return end == SearchEnd::kSettled; }
  bool Holds(const FeatureRow& row) const;
  /// Whether the condition is true of every operator that is computed, so that no passing case exists.
  bool Always() const;
  bool OfValues() const;
  /// The same condition with only these of its alternatives.
  Condition Only(std::vector<Alternative> some) const;
};

/// The features of a case that are needed to evaluate the condition.
FeatureRow FeaturesIn(const Condition& condition, const Case& test_case, oracle::Dialect dialect);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_DIAGNOSIS_CONDITIONS_CONDITION_H_
