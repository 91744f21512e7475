// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Divides failures that no planted fault explains into families, by what is known of them without another run of the
// backend. Failures of different families are never one cause, except that the element type may differ.

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

/// The family of a failure. The order of families is that of their severity: wrong outputs stand before refusals, and
/// failures that every backend should mend before those that a declaration excuses or that the documents leave open.
struct FailureFamily {
  conformance::CauseKind kind = conformance::CauseKind::kWrongOutput;
  bool vanished = false;  ///< the failure did not happen again
  std::string excuse;     ///< the meaning of the declaration that would excuse the failure; empty: none would
  bool open = false;      ///< the documents leave the operator open: the backend may refuse it
  conformance::FailureSignature signature;
  std::string implementation;  ///< the code that ran, if the backend names it
  /// The type of wrong outputs, because an implementation often belongs to a type. Refusals of all types are one
  /// family.
  oracle::ElementType type = oracle::ElementType::kF32;

  auto operator<=>(const FailureFamily&) const = default;
  /// Whether failures of both families may have one cause.
  bool MayBeCauseOf(FailureFamily other) const {
    other.type = type;
    return *this == other;
  }
};

/// The family of a failed case.
FailureFamily FailureFamilyOf(const conformance::CaseResult& result);

/// Failures of one family that have no cause yet.
class FailuresByFamily {
 public:
  /// Adds a failure. Within a family, cases of plain values (small integers) come first, then short cases.
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
  /// which `family` may have a common cause. Not to be called for a failure that a known cause explains.
  template <class IsAlike>
  std::vector<std::size_t> RemoveAlike(const FailureFamily& family, const IsAlike& is_alike) {
    std::vector<std::size_t> removed;
    for (OfFamily& of : families_) {
      if (of.family == family) ++of.causes;
      if (!family.MayBeCauseOf(of.family)) continue;
      std::erase_if(of.failures, [&](const Failure& failure) {
        const bool alike = is_alike(failure.case_index);
        if (alike) removed.push_back(failure.case_index);
        return alike;
      });
    }
    return removed;
  }

 private:
  struct Failure {
    bool plain = false;
    std::size_t length = 0;  ///< of the case line
    std::size_t case_index = 0;
  };
  struct OfFamily {
    FailureFamily family;
    std::vector<Failure> failures;
    std::size_t turns = 0;   ///< calls of RemoveNext() that returned a failure of this family
    std::size_t causes = 0;  ///< new causes that were made of them
  };
  std::vector<OfFamily> families_;  ///< in their order
};

}  // namespace fuzz

#endif  // DECONV_FUZZ_CAMPAIGN_FAILURE_FAMILY_H_
