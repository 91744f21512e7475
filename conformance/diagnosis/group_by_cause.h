// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Groups the failures of a run: by the planted fault (a backend with one known defect) that gives the same answers,
// else by the backend's words and the way in which the cases fail. Each failure belongs to exactly one group. The
// search for conditions then divides and joins these groups.

#ifndef DECONV_CONFORMANCE_DIAGNOSIS_GROUP_BY_CAUSE_H_
#define DECONV_CONFORMANCE_DIAGNOSIS_GROUP_BY_CAUSE_H_

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/diagnosis/common_features.h"
#include "conformance/diagnosis/conditions/condition.h"
#include "conformance/diagnosis/diagnose.h"
#include "conformance/diagnosis/failure_signature.h"
#include "conformance/run/failure_causes.h"

namespace conformance {

/// A condition, that is a statement which is true of a cause's failures only, and the new cases that confirm it.
struct CauseCondition {
  std::string text;           ///< "data size of an axis == 0"
  std::string wrong_outputs;  ///< text that says which outputs are wrong, or empty
  NewCases tested;
  std::vector<std::string> exceptions = {};  ///< lines of new cases for which it is true, but which pass
};

/// Types of which nearly all cases of the run fail, or to which all failures of a group belong.
struct TypesThatFail {
  std::string names;     ///< "i16, u16 or u32"
  bool is_only = false;  ///< cases of these types may pass, but no case of another type is a failure of the group
  /// Counts of computed cases of the run; inside: of these types, outside: of other types. If `is_only`, those outside
  /// are right, and `outside_failed` counts the failures of other groups that have other types and the same classes.
  NewCases of_run;
  std::string shares;  ///< "u64 12 of 12, i16 9 of 14": of several only types, the type that fails most often first
};

/// Why no condition was searched for, if a later search may find one.
inline constexpr std::string_view kTooFewToLearn = "too few cases to learn a condition from";

/// Failures of one cause, with what was found out about them. Indices are those of results.
struct CauseGroup {
  FailureSignature signature;  ///< of most of the failures
  std::vector<std::size_t> failures;
  std::size_t presumed = 0;  ///< how many of them were not run again, but have the signature of most that were
  std::size_t joined = 0;    ///< how many of them came from other groups, because the condition is true of them
  std::optional<Explanation> explanation;  ///< the planted fault that gives the same answers
  std::optional<Excuse> excuse;            ///< the declaration that excuses the failures
  std::vector<std::string> excused = {};   ///< of several declarations: "sums in f32: 12 failures, such as CASE"
  bool vanished = false;                   ///< the failures did not happen again
  /// If vanished: the line of a case after which the smallest failure happens again in the same process, or empty.
  std::string after = {};
  std::size_t smallest = 0;  ///< the failure whose case has the smallest numbers
  std::optional<CauseCondition> condition;
  std::optional<TypesThatFail> types;   ///< set only if there is no condition
  std::optional<TestedClasses> common;  ///< set only if there is nothing else
  std::string_view limit;    ///< "negative-pads": the word that declares what all failures have and no pass has
  std::size_t computed = 0;  ///< cases that the backend computes, none of which has this limit
  std::vector<std::size_t> other_words = {};  ///< failures of few, refused in other words, that joined without a reason
  std::string nearest;     ///< a smaller failure and operators like it that pass; set only if nothing else is known
  std::string small_line;  ///< a small new case that fails likewise, where all failures are large or repeat runs
  /// Other failures of the group have other types and were put into groups of their own, because the types fail with
  /// different frequencies. A condition is about these types alone. Empty: about all types.
  std::set<oracle::ElementType> only_types = {};
  /// The implementation that ran all of them, if it fails far more often than the others; else empty. The condition is
  /// then about its cases alone.
  std::string implementation = {};
  bool without_data = false;    ///< no failure has data elements; those that have are in a group of their own
  bool with_data_only = false;  ///< failures without data elements were put into a group of their own
  std::string not_looked;       ///< why no condition was searched for or none is told; empty if there is a condition

  /// Whether a case that ran on this implementation can tell something about the group.
  bool RanOn(const std::string& name) const { return implementation.empty() || implementation == name; }

  /// Whether it is known when the failures happen, or how the backend computes them.
  bool HasReason() const { return condition || (types && !types->is_only) || explanation || excuse || !limit.empty(); }

  /// Whether the group's condition is about the case: about its type, and about operators without data elements.
  bool IsAbout(const Case& test_case) const {
    const oracle::TensorType& data = test_case.op.data;
    if (with_data_only && std::ranges::find(data.dims, 0) != data.dims.end()) return false;
    return only_types.empty() || only_types.contains(data.type);
  }
};

/// The part of a condition that a group's text states.
struct ToldCondition {
  Condition condition;
  CauseCondition words;
};

/// A cause that has a condition.
struct ToldCause {
  CauseGroup group;
  Condition condition;

  /// Whether the failure is of the cause's kind and satisfies the condition.
  bool Holds(const CaseResult& failure) const;
};

/// The failures of a group, divided by the alternatives of a condition.
struct PartsOfGroup {
  /// For each alternative: its failures. If several alternatives are true of a failure, it belongs to the first
  /// confirmed one; if none of these is confirmed, to the first one.
  std::vector<std::vector<std::size_t>> of_alternative;
  std::vector<std::size_t> rest;     ///< no alternative is true of them
  std::vector<std::size_t> unknown;  ///< they have no features
};

PartsOfGroup PartsOf(std::span<const CaseResult> results, const std::vector<std::size_t>& failures,
                     const Condition& condition);

/// Returns the indices of the confirmed alternatives: one list for each cause. An alternative of fewer than three
/// failures stands in the list of the first cause. `failures`: the number of failures of the group.
std::vector<std::vector<std::size_t>> ToldTogether(const Condition& condition,
                                                   const std::vector<std::vector<std::size_t>>& parts,
                                                   std::size_t failures);

/// The condition with these alternatives alone, and its words: "where A, or where B".
ToldCondition WordsOf(const Condition& condition, const std::vector<std::size_t>& alternatives);

/// The confirmed alternatives, if they are true of at least 8 of 10 failures. Where a planted fault explains the group,
/// an alternative of few failures is left out: it is the condition of another defect.
std::optional<ToldCondition> ConfirmedPart(std::span<const CaseResult> results, const CauseGroup& group,
                                           const Condition& condition,
                                           const std::vector<std::vector<std::size_t>>& parts);

/// The signature of most of the failures of the worst kind.
FailureSignature MostFrequentSignature(std::span<const CaseResult> results, const std::vector<std::size_t>& failures);

/// Why new cases would not show the condition of the group, whatever it is. Empty if they may show it.
std::string ReasonNotToLook(const CauseGroup& group);

/// The groups of a run's failures, the worst first. `results` are in the order of the case list. Expected failures
/// belong to no group: their reason is known.
std::vector<CauseGroup> GroupByCause(std::span<const CaseResult> results, const Diagnosis& diagnosis);

/// Joins groups of one kind that have the same condition into the first of them, which has the best explanation. The
/// other groups become empty.
void MergeEqualConditions(std::span<const CaseResult> results, std::vector<CauseGroup>& groups);

/// Moves the failures of other groups for which `has_reason` is true into this group, if class and clause are equal.
/// The backend's words may differ. The other groups become empty.
void JoinRefusals(std::span<const CaseResult> results, std::vector<CauseGroup>& groups, CauseGroup& group,
                  const std::function<bool(const CauseGroup&)>& has_reason);

/// A backend may refuse one feature in several words. Groups of refusals with the same limit become one. So do groups
/// of fewer than `least` failures, which have no limit, if all of their failures need the feature.
void JoinLimits(std::span<const CaseResult> results, std::size_t least, std::vector<CauseGroup>& groups);

/// Joins groups of fewer than `least` refusals without a reason to the first larger group without one.
void JoinFewRefusals(std::span<const CaseResult> results, std::size_t least, std::vector<CauseGroup>& groups);

/// Whether the operands of the case are small integers, which no type rounds. A sweep counts as one too.
bool HasPlainValues(const CaseResult& result);

/// Whether SIGFPE ended the backend's process, as a division by zero does. Faults of memory end it in several ways, by
/// chance.
bool DiesBySigfpe(const CaseResult& result);

bool AllDieBySigfpe(std::span<const CaseResult> results, const std::vector<std::size_t>& failures);

/// Joins the groups that declarations excuse into the first of them.
void MergeExcuses(std::span<const CaseResult> results, std::vector<CauseGroup>& groups);

/// Sorts by the kind of cause, the worst first. Of wrong outputs, those with small integers as operands come first,
/// because no rounding explains them. Broken laws without a reason come after the others, and those that a declaration
/// excuses come last. Then by the number of failures.
void SortWorstFirst(std::span<const CaseResult> results, std::vector<CauseGroup>& groups);

/// The failure whose case has the smallest numbers. A case that every backend must compute is preferred to an open
/// case, which a backend may refuse.
std::size_t SmallestOf(std::span<const CaseResult> results, const std::vector<std::size_t>& failures);

/// Fills in each group's condition, limit (a feature that the backend cannot do) and small case. Groups of wrong
/// outputs whose failures satisfy one condition are joined; a group that has two conditions is divided. Asks the
/// backend as often as the diagnoser's budget allows.
void FindConditions(std::span<const CaseResult> results, Diagnoser& diagnoser, std::vector<CauseGroup>& groups);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_DIAGNOSIS_GROUP_BY_CAUSE_H_
