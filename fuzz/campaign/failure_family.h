// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Divides the failing cases of a fuzzing campaign into families, by what is known of them without another run of the
// backend: how they fail, in which words the backend refuses, which code ran. The search for causes uses families where
// it knows no better: for failures that no planted fault (known defect of a test backend) explains. Failures of
// different families are never one cause, except that the element type may differ.

#ifndef DECONV_FUZZ_CAMPAIGN_FAILURE_FAMILY_H_
#define DECONV_FUZZ_CAMPAIGN_FAILURE_FAMILY_H_

#include <compare>
#include <cstddef>
#include <string>
#include <vector>

#include "conformance/diagnosis/failure_signature.h"
#include "conformance/verdict/result.h"
#include "oracle/operator.h"

namespace fuzz {

/// The family of a failure. Families are ordered by their members, the worst first. Wrong outputs stand before
/// refusals. Then failures that happened again stand before those that vanished. Then failures that every backend
/// should mend stand before those that a declaration excuses or that the documents leave open.
struct FailureFamily {
  conformance::CauseKind kind = conformance::CauseKind::kWrongOutput;
  bool vanished = false;  ///< the failure did not happen when its case was run again
  /// What the backend could declare of its arithmetic, so that the outputs would be right: "flushed subnormals". Empty
  /// if no declaration would excuse them.
  std::string excuse;
  bool open = false;                        ///< the documents leave the operator open: the backend may refuse it
  conformance::FailureSignature signature;  ///< class of the failure, and the backend's own words without numbers
  std::string implementation;               ///< the code that ran, if the backend names it
  /// The type of wrong outputs, because an implementation often belongs to a type. Refusals of all types are one
  /// family, so they keep the default.
  oracle::ElementType type = oracle::ElementType::kF32;

  auto operator<=>(const FailureFamily&) const = default;
  /// Whether failures of both families may have one cause.
  bool MayShareCauseWith(FailureFamily other) const {
    other.type = type;
    return *this == other;
  }
};

/// The family of a failed case.
FailureFamily FailureFamilyOf(const conformance::CaseResult& result);

/// The failures that have no cause yet, by family. The search for causes removes one of them (RemoveNext) and minimizes
/// it. If it finds a new cause, it removes the other failures of this cause (AddCauseAndRemoveAlike), and so on.
class FailuresByFamily {
 public:
  /// Adds a failure. Within a family, cases of plain values come first, which no type rounds, such as small integers.
  /// Then those with short lines. `vanished`: the failure did not happen when its case was run again. That is not noted
  /// for open operators, whose outputs may be right by chance.
  void Add(std::size_t case_index, const conformance::CaseResult& result, bool vanished);
  /// The number of families that have failures without a cause.
  std::size_t families() const;

  /// A failure whose cause is to be found next, and the number of causes that its family has already. Each family gets
  /// its first turn before a family gets its second one.
  struct Next {
    std::size_t case_index = 0;
    FailureFamily family;
    std::size_t causes = 0;
  };
  /// Removes the next failure. There must be one.
  Next RemoveNext();
  /// Counts a new cause of `family`, and removes its failures: those for which `is_alike` is true, of all families with
  /// which `family` may have a common cause. Returns their case indices. Not to be called for a failure that a known
  /// cause explains.
  template <class IsAlike>
  std::vector<std::size_t> AddCauseAndRemoveAlike(const FailureFamily& family, const IsAlike& is_alike) {
    std::vector<std::size_t> removed;
    for (FamilyEntry& entry : families_) {
      if (entry.family == family) ++entry.causes;
      if (!family.MayShareCauseWith(entry.family)) continue;
      std::erase_if(entry.failures, [&](const Failure& failure) {
        const bool alike = is_alike(failure.case_index);
        if (alike) removed.push_back(failure.case_index);
        return alike;
      });
    }
    return removed;
  }

 private:
  struct Failure {
    bool has_plain_values = false;
    std::size_t line_length = 0;  ///< of the case line
    std::size_t case_index = 0;
  };
  struct FamilyEntry {
    FailureFamily family;
    std::vector<Failure> failures;  ///< those without a cause, in the order in which RemoveNext() takes them
    std::size_t turns = 0;          ///< calls of RemoveNext() that returned a failure of this family
    std::size_t causes = 0;         ///< new causes that were made of them
  };
  std::vector<FamilyEntry> families_;  ///< sorted by family
};

}  // namespace fuzz

#endif  // DECONV_FUZZ_CAMPAIGN_FAILURE_FAMILY_H_
